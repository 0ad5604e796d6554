internal import Glibc
package import MediaFileSystem
package import MediaLibrary
internal import MediaModel

/// Compares every file of a library with what its catalogue says; changes nothing.
package struct LibraryFileCheck {
  package enum Kind: String, Sendable, CaseIterable {
    case missing
    case changed
    /// In the library's folders, and not in the catalogue.
    case unknown
    /// A batch that a run left in the middle; the next run finishes it.
    case unfinished
    /// To be removed by the next run.
    case superseded
  }

  package struct Finding: Sendable, Hashable {
    package var kind: Kind
    /// Below the library, escaped.
    package var path: String
    package var detail: String

    /// Whether this is a difference and no mere remark.
    package var isDifference: Bool { kind != .superseded && kind != .unfinished }
  }

  /// Files that were read and compared.
  package private(set) var files = 0
  package private(set) var bytes: Int64 = 0
  package private(set) var findings: [Finding] = []

  /// Reads every file of the library at `root` once.
  ///
  /// - Throws: `LibraryError` when the library cannot be read at all; a difference is a finding.
  package init(root: Descriptor, catalogue: CatalogueReader) throws(LibraryError) {
    var expected: Set<[UInt8]> = []
    for file in try catalogue.publishedFiles(superseded: false) {
      expected.insert([UInt8](file.path.utf8))
      do {
        let found = try FileDigest.of([UInt8](file.path.utf8), beneath: root)
        files += 1
        bytes += found.bytes
        if found.bytes != file.bytes {
          report(.changed, file.path, "\(found.bytes) bytes, \(file.bytes) expected")
        } else if found.sha256 != file.sha256 {
          report(.changed, file.path, "another SHA-256 than the catalogue's")
        }
      } catch  where error.isMissing {
        report(.missing, file.path, "in the catalogue, and not in its folder")
      } catch {
        report(.changed, file.path, "\(error)")
      }
    }
    for file in try catalogue.publishedFiles(superseded: true) {
      if expected.insert([UInt8](file.path.utf8)).inserted {
        report(.superseded, file.path, "the next run removes it")
      }
    }
    let unfinished = try catalogue.unfinishedFiles()
    for path in unfinished where expected.insert([UInt8](path.utf8)).inserted {
      report(.unfinished, path, "a run was interrupted; the next one finishes it")
    }
    do {
      for name in ["Originals", "Thumbnails"] {
        try FileSystem.forEachFile(beneath: root, [UInt8](name.utf8)) { path in
          if !expected.contains(path) {
            report(.unknown, EscapedText.percentEscaped(path), "not in the catalogue")
          }
        }
      }
      let staging = try FileSystem.openForReading(
        beneath: root,
        [UInt8](".staging".utf8),
        crossMounts: true,
        isFolder: true
      )
      for entry in try FileSystem.entries(of: staging) {
        report(
          .unfinished,
          ".staging/" + EscapedText.percentEscaped(entry.name),
          "a run was interrupted; the next one finishes it"
        )
      }
    } catch {
      throw LibraryError(error)
    }
  }

  private mutating func report(_ kind: Kind, _ path: String, _ detail: String) {
    findings.append(Finding(kind: kind, path: EscapedText.printable(path), detail: detail))
  }
}
