internal import MediaAudit
internal import MediaManifest
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

/// A manifest by which runs of a report were made.
package struct ReportManifest: Sendable, Hashable {
  /// As the runs' first records name it; escaped.
  package var sha256: String
  /// The identifiers of these runs, in the order of the log; escaped.
  package var runs: [String]
  /// The manifest's own text, byte for byte; nil where the log has none with this digest.
  package var text: String?
  /// The reason why it has none; empty where it has one.
  package var absence: String

  /// The manifests of some runs, each once, in the order of the log; those of commands are left out.
  static func all(of runs: [ReportRun], in log: LibraryLog) -> [ReportManifest] {
    var manifests: [ReportManifest] = []
    for run in runs where !run.isHousekeeping {
      if let index = manifests.firstIndex(where: { $0.sha256 == run.manifestSHA256 }) {
        manifests[index].runs.append(run.identifier)
        continue
      }
      var manifest = ReportManifest(
        sha256: run.manifestSHA256,
        runs: [run.identifier],
        text: nil,
        absence: ""
      )
      switch log.manifest(run.manifestSHA256) {
      case .whole(let bytes): manifest.text = String(decoding: bytes, as: UTF8.self)
      case .changed:
        manifest.absence = "Its text was changed since, so it is not shown."
      case .missing:
        manifest.absence = "The log does not have its text."
      case .unreadable: manifest.absence = "Only the library's owner may read its text."
      }
      manifests.append(manifest)
    }
    return manifests
  }

  /// As a member of a report in JSON.
  var value: JSONValue {
    [
      "sha256": .string(sha256), "runs": .array(runs.map { .string($0) }),
      "text": JSONValue(text), "absence": absence.isEmpty ? .null : .string(absence),
    ]
  }
}

extension LibraryLog {
  /// What the manifest with a digest has set of the keys that advice names; nothing where its text cannot be read.
  func advisedSettings(_ sha256: String) -> AdvisedSettings {
    guard case .whole(let bytes) = manifest(sha256), let read = ManifestReader.read(bytes).readable else {
      return AdvisedSettings()
    }
    return AdvisedSettings(read)
  }
}
