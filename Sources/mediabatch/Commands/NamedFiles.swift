internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaVerification

/// A command on a library whose options may name files to read.
protocol LibraryCommand: ParsableCommand {
  var library: LibraryArgument { get }
}

extension ListCommand: LibraryCommand {}
extension SimilarCommand: LibraryCommand {}
extension GalleryCommand: LibraryCommand {}
extension ExportCommand: LibraryCommand {}
extension ContactSheetCommand: LibraryCommand {}
extension VerifyCommand: LibraryCommand {}
extension ReportCommand: LibraryCommand {}
extension RepairCommand: LibraryCommand {}
extension RebuildCommand: LibraryCommand {}
extension LabelCommand: LibraryCommand {}
extension RotateCommand: LibraryCommand {}
extension WithdrawCommand: LibraryCommand {}
extension StackAddCommand: LibraryCommand {}
extension StackSplitCommand: LibraryCommand {}
extension AuditVerifyCommand: LibraryCommand {}
extension AuditTimestampCommand: LibraryCommand {}

/// The files that the command line of a ``LibraryCommand`` names.
enum NamedFiles {
  /// The options by which it does.
  static let options: Set<String> = [
    "--selection", "--trust", "--expect-head", "--tsa-ca", "--reply", "--query", "--key",
  ]

  /// Stops a command that names a file in a source that the library's newest run was not allowed whole.
  ///
  /// - Throws: `ExitCode` 78; nothing was opened then but the library's log.
  static func check(_ command: any LibraryCommand) throws {
    let files = named(in: PathArgument.arguments.texts).filter { FileSystem.exists($0.bytes) }
    guard !files.isEmpty else { return }
    let closed = ClosedFolders(ofLibrary: command.library.bytes)
    for file in files {
      do {
        try closed.check(file.bytes, "\"\(EscapedText.printable(file.text))\"")
      } catch let error as LoadedManifest.Mistakes {
        throw error.reported(in: .text)
      } catch {
        // The command says why it cannot be read.
      }
    }
  }

  private static func named(in words: [String]) -> [PathArgument] {
    words.indices.compactMap { index in
      let parts = words[index].split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = parts.first, options.contains(option) else { return nil }
      let value = parts.count > 1 ? parts[1] : index + 1 < words.count ? words[index + 1] : nil
      return value.map { PathArgument(argument: $0) }
    }
  }
}

extension ClosedFolders {
  /// The sources that the newest run of a library was not allowed whole, as far as the log has its manifest.
  init(ofLibrary library: [UInt8]) { self.init(Self.folders(ofLibrary: library)) }

  private static func folders(ofLibrary library: [UInt8]) -> [Folder] {
    guard let root = try? FileSystem.openFolder(library),
      let log = try? LibraryLog(root: root, catalogue: nil),
      let refused = try? log.newestRefusals(),
      case .whole(let text) = log.manifest(refused.manifestSHA256)
    else { return [] }
    let reading = ManifestReader.read(text)
    guard let manifest = reading.manifest ?? reading.readable else { return [] }
    // Relative paths mean the folder of the manifest, of which only the way to the library is known.
    let output = [UInt8.slash] + manifest.output.utf8
    var base = FileSystem.resolved(library) ?? library
    if base.suffix(output.count).elementsEqual(output) { base.removeLast(output.count) }
    return manifest.sources.compactMap { source, declaration in
      guard refused.sources.contains(source), let path = declaration.path else { return nil }
      let bytes = Array(path.utf8)
      let absolute = bytes.first == .slash ? bytes : base + [UInt8.slash] + bytes
      return ("the \(source.displayName)", absolute)
    }
  }
}
