import MediaModel
import MediaReports

enum SampleReport {
  static let head = String(repeating: "5f1c", count: 16)

  /// A run with something of everything.
  static func full(failures count: Int = 2) -> RunReport {
    var report = RunReport(
      run: "7d2c91f0",
      manifestPath: "media/manifest.json",
      manifestSHA256: String(repeating: "ab", count: 32),
      library: "media/Library",
      enforcement: .kernel,
      enforcementDetail: "Landlock ABI 7, seccomp",
      exitCode: .itemsFailed
    )
    report.problems = [
      .init(
        code: .metadataPolicyChanged,
        message:
          "10 assets were written under a weaker metadata policy than the manifest asks for now."
      )
    ]
    report.sources = [
      source(.camera, .authorized, .authorized, counts: [.imported: 1520, .unchanged: 10, .failed: count]),
      source(.library, .limited, .limited, counts: [.imported: 12, .unsupported: 1]),
      source(.microphone, .denied, .denied, .unknown, required: false),
    ]
    report.discovered = 1543 + count
    report.unsupported = [
      item(.library, ItemPath(bytes: Array("2026/IMG_3.AAE".utf8)), .unknownFormat)
    ]
    report.leftOut = [
      .init(
        source: .camera,
        reason: .mediaTypeExcluded,
        count: 31,
        examples: (0..<20).map { ItemPath(bytes: Array("100/MOV_\($0).MOV".utf8)) }
      ),
      .init(
        source: .library,
        reason: .unknownFormat,
        count: 1,
        examples: [ItemPath(bytes: Array("2026/IMG_3.AAE".utf8))]
      ),
    ]
    report.failures = (0..<count).map { index in
      item(
        .camera,
        ItemPath(bytes: Array("100/IMG_\(index).JPG".utf8)),
        index % 2 == 0 ? .damaged : .stripUnsupported,
        at: .metadata,
        format: .webp,
        detail: index % 2 == 0 ? "damaged: its EXIF block ends early." : ""
      )
    }
    report.auditFile = "Audit/000001-7d2c91f0.ndjson"
    report.auditRecords = 3084
    report.auditHead = head
    report.auditSize = 9120
    report.auditRoot = head
    report.auditSignedHead =
      "mediabatch.audit/0B7E6F5D\n9120\n…\n\n\u{2014} mediabatch.audit 8J1c\n"
    report.elapsedMilliseconds = 32_042
    report.degraded = 1
    report.thumbnails = 3064
    return report
  }

  /// Every text of a run is hostile.
  static func hostile() -> RunReport {
    var report = RunReport(
      run: nasty,
      manifestPath: nasty,
      manifestSHA256: nasty,
      library: nasty,
      enforcement: .process,
      enforcementDetail: nasty,
      exitCode: .sourceRefused
    )
    report.problems = [.init(code: .listing, message: nasty)]
    report.sources = [
      source(
        .camera,
        .authorized,
        .authorized,
        counts: Dictionary(uniqueKeysWithValues: ItemOutcome.allCases.map { ($0, .max / 16) })
      )
    ]
    report.discovered = .max
    report.failures = failureReasons.map { item(.library, nastyPath, $0, at: .open) }
    report.unsupported = [item(.library, nastyPath, .unknownFormat)]
    report.leftOut = failureReasons.filter { $0.outcome != .failed }.map { reason in
      .init(source: .camera, reason: reason, count: 30, examples: [nastyPath])
    }
    report.auditFile = nasty
    report.auditHead = nasty
    report.auditRoot = nasty
    report.auditSize = .max
    report.auditRecords = .max
    report.elapsedMilliseconds = .max
    return report
  }

  /// The reasons of items that are not in the library.
  static let failureReasons = ItemReason.allCases.filter { $0.outcome != .imported }

  /// Items that are in the library without thumbnails.
  static func thumbnailMissing(
    _ count: Int,
    path: (Int) -> ItemPath = { ItemPath(bytes: Array("\($0).xcf".utf8)) },
    detail: String = "decoderMissing: none for XCF"
  ) -> [RunReport.Failure] {
    (0..<count).map {
      item(.library, path($0), .thumbnailMissing, at: .thumbnail, detail: detail)
    }
  }

  /// The result for a source, which is refused if nobody has looked whether it is there.
  static func source(
    _ kind: SourceID,
    _ status: AuthorizationStatus,
    _ reason: DecisionReason,
    _ availability: Availability = .available,
    required: Bool = true,
    counts: [ItemOutcome: Int] = [:]
  ) -> RunReport.Source {
    var decision = SourceDecision()
    (decision.source, decision.authorizationStatus, decision.reason) = (kind, status, reason)
    (decision.availability, decision.required) = (availability, required)
    decision.verdict = availability == .unknown ? .refuse : .allow
    var source = RunReport.Source(decision)
    source.counts = counts
    return source
  }

  /// An item that has a reason, with the words of a worker about it.
  static func item(
    _ source: SourceID,
    _ path: ItemPath,
    _ reason: ItemReason,
    at step: ItemStep = .read,
    format: MediaFormat? = nil,
    detail: String = ""
  ) -> RunReport.Failure {
    var item = Outcome(source: source, path: path, outcome: reason.outcome)
    (item.reason, item.step, item.failedFormat, item.message) = (reason, step, format, detail)
    return RunReport.Failure(item)
  }

  static let nasty =
    "::error::x\n::error file=a::y\r\n \t::set-output\u{1b}[31m##[error]\u{202e}gpj\u{85}\u{9b}2J"
    + "\u{7f}\u{0}\u{2028}\u{200b}]]>=cmd|' /C calc'!A0 e\u{301}\u{1F469}\u{200d}\u{1F680}"
  static let nastyPath = ItemPath(bytes: Array(nasty.utf8) + [0xFF, 0xC3, 0x28])
}
