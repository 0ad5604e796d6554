internal import Glibc
package import MediaAudit
internal import MediaFileSystem
internal import MediaModel

/// A text of a manifest that is not what the log says.
struct ManifestDamage: Sendable, Hashable {
  /// Below the library, escaped.
  var path: String
  var detail: String
  /// Whether the library differs by it, or this user may not read the text, or no record names it.
  var kind: LibraryFileCheck.Kind
}

extension LibraryLog {
  /// The text of the manifest with a digest, which is compared; missing where that is not 64 hexadecimal digits.
  package func manifest(_ sha256: String) -> ManifestTexts.Text {
    let isDigest =
      sha256.utf8.count == 64
      && sha256.utf8.allSatisfy { byte in
        byte.isASCIIDigit
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    return isDigest ? ManifestTexts.text(sha256, in: descriptor) : .missing
  }

  /// Holds each manifest's text that a run has kept against the digest in the run's first record.
  ///
  /// - Returns: What differs, in the order of the runs, and then the names that no record has, which a run
  ///   that was stopped before its first record leaves; the folder alone where it cannot be listed.
  /// - Throws: `AuditError` `.cannotRead`.
  func manifestDamage() throws -> [ManifestDamage] {
    var damage: [ManifestDamage] = []
    func add(_ kind: LibraryFileCheck.Kind, _ path: String, _ detail: String) {
      damage.append(ManifestDamage(path: "Audit/\(path)", detail: detail, kind: kind))
    }
    let names: [[UInt8]]
    do throws(FileSystemError) {
      // Listed before the records are read: a text is there before its record is.
      names = try ManifestTexts.names(in: descriptor)
    } catch {
      // Of the texts nothing can be said then, and all else is compared.
      let detail =
        error.errno == ELOOP
        ? "it is a symbolic link, and nothing behind it was read: put the folder back, or remove the link; "
          + "the next run writes its manifest's text again" : "\(error)"
      add(LibraryFileCheck.Kind(error), ManifestTexts.folderName, detail)
      return damage
    }
    let openings = try openings().compactMap(\.opening)
    var kept: Set<String> = []
    for opening in openings where opening.manifestBytes != nil {
      guard kept.insert(opening.manifestSHA256).inserted else { continue }
      let path = EscapedText.printable(ManifestTexts.path(opening.manifestSHA256))
      let mended = "the next run with the same manifest writes it again"
      switch manifest(opening.manifestSHA256) {
      case .whole: break
      case .changed: add(.changed, path, "it has another SHA-256 than the log says; \(mended)")
      case .missing: add(.missing, path, "the log says that it was kept; \(mended)")
      case .unreadable(let error): add(.unread, path, "\(error)")
      }
    }
    let paths = Set(openings.map { Array(ManifestTexts.path($0.manifestSHA256).utf8) })
    for name in names {
      let path = Array("\(ManifestTexts.folderName)/".utf8) + name
      if paths.contains(path) { continue }
      add(.unfinished, EscapedText.percentEscaped(path), "no record of the log names it")
    }
    return damage
  }
}
