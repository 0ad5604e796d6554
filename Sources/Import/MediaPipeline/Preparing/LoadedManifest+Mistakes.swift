internal import MediaManifest
package import MediaModel
internal import MediaPermissions
internal import MediaSources
internal import MediaSyntax

extension LoadedManifest {
  /// Every mistake of a manifest and of the files that it names.
  package struct Mistakes: Error, Sendable {
    /// A mistake of a file.
    package struct Mistake: Sendable {
      /// The stable word for the rule that is broken: a ``ManifestIssueCode``, or a ``ProblemCode``.
      package var code: String
      /// A line for a person, including file, line and column.
      package var text: String
      /// 1-based; nil when it concerns the whole file.
      package var line: Int?
      /// 1-based; nil when it concerns the whole file.
      package var column: Int?
      /// A JSON path, or the name of a column.
      package var path: String?
    }

    /// The mistakes of each file in their order.
    package private(set) var mistakes: [Mistake]
    /// The manifest as far as it can be read, to look for mistakes in what it declares.
    package internal(set) var readable: LoadedManifest?

    init(_ mistakes: [ManifestIssue], in file: String) {
      self.mistakes = mistakes.map { mistake in
        Mistake(
          code: mistake.code.rawValue,
          text: mistake.description(in: file),
          line: mistake.line,
          column: mistake.column,
          path: mistake.path
        )
      }
    }

    init(_ code: ManifestIssueCode, _ text: String) {
      mistakes = [Mistake(code: code.rawValue, text: text)]
    }

    init(_ error: RunError) {
      mistakes = []
      add(error)
    }

    init(_ policy: OrganizationPolicies.Mistake) {
      switch policy {
      case .file(let code, let text): self.init(code, text)
      case .content(let issues, let file): self.init(issues, in: file)
      }
    }

    /// What a command ends with: 77 where the manifest has no mistake, and lacks a signature or names another file than
    /// the one that is there.
    package var exitCode: RunExitCode {
      let codes = [ProblemCode.signatureRefused, .fileDiffers].map(\.rawValue)
      let hasMistake = mistakes.contains { ManifestIssueCode(rawValue: $0.code) != nil }
      return !hasMistake && mistakes.contains { codes.contains($0.code) } ? .sourceRefused : .manifestMistake
    }

    /// Adds what stops a run.
    mutating func add(_ error: RunError) {
      mistakes.append(Mistake(code: error.code.rawValue, text: error.description))
    }

    /// Whether no mistake is about the folders of the sources or of the library.
    var arePlacesKnown: Bool {
      !mistakes.contains { mistake in
        let path = mistake.path ?? ""
        return path == JSONPath.root || path.hasPrefix("$.sources") || path.hasPrefix("$.output")
      }
    }

    /// Adds the reasons why a run of the manifest would stop if it had no mistake.
    package mutating func addDecisions() {
      guard let readable, arePlacesKnown else { return }
      // An Info.plist that was not read may have the descriptions that are missing.
      let hasDescriptions =
        readable.manifest.infoPlist == nil
        && !mistakes.contains { $0.path?.hasPrefix("$.usageDescriptions") == true }
      for stop in AccessState(readable).stopsOfRun(kernel: nil)
      where hasDescriptions || stop.code != .usageDescriptionMissing {
        add(stop)
      }
    }

    /// Adds the mistakes that a part of the reading throws.
    mutating func collect(_ part: () throws(Mistakes) -> Void) {
      do {
        try part()
      } catch {
        mistakes += error.mistakes
      }
    }
  }
}
