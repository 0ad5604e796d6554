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
  /// The files that its options name; a value that may be a file or something else is one of them.
  var namedFiles: [PathArgument?] { get }
  /// The key that its records are signed with; it need not be there yet.
  var namedKey: PathArgument? { get }
}

extension LibraryCommand {
  var namedFiles: [PathArgument?] { [] }
  var namedKey: PathArgument? { nil }
}

extension ListCommand: LibraryCommand { var namedFiles: [PathArgument?] { options.namedFiles } }
extension SimilarCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { options.namedFiles }
  var namedKey: PathArgument? { holding.key.key }
}
extension GalleryCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { selection.namedFiles + [password.passwordFile] }
  var namedKey: PathArgument? { stripping.key.key }
}
extension ExportCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { selection.namedFiles }
  var namedKey: PathArgument? { stripping.key.key }
}
extension ContactSheetCommand: LibraryCommand { var namedFiles: [PathArgument?] { selection.namedFiles } }
extension VerifyCommand: LibraryCommand { var namedFiles: [PathArgument?] { kept.namedFiles } }
extension ReportCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { kept.namedFiles }
  var namedKey: PathArgument? { signing.key }
}
extension RepairCommand: LibraryCommand { var namedKey: PathArgument? { key.key } }
extension RebuildCommand: LibraryCommand { var namedKey: PathArgument? { key.key } }
extension LabelCommand: LibraryCommand { var namedKey: PathArgument? { options.holding.key.key } }
extension RotateCommand: LibraryCommand { var namedKey: PathArgument? { options.holding.key.key } }
extension WithdrawCommand: LibraryCommand { var namedKey: PathArgument? { options.holding.key.key } }
extension StackAddCommand: LibraryCommand { var namedKey: PathArgument? { options.holding.key.key } }
extension StackSplitCommand: LibraryCommand { var namedKey: PathArgument? { options.holding.key.key } }
extension AuditVerifyCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { kept.namedFiles + [authorities.tsaCa] }
}
extension AuditTimestampCommand: LibraryCommand {
  var namedFiles: [PathArgument?] { [query, reply, authorities.tsaCa] }
}

extension SelectionOptions {
  fileprivate var namedFiles: [PathArgument?] { [chosen, selectedIn, catalogueOfGallery] }
}

extension WitnessOptions {
  fileprivate var namedFiles: [PathArgument?] {
    (expectHead + [trust].compactMap(\.self)).map(PathArgument.init(argument:))
  }
}

/// The files that the options of a ``LibraryCommand`` name.
enum NamedFiles {
  /// Stops a command that names a file, or a key that is not there yet, in a source that the library's newest run was
  /// not allowed whole.
  ///
  /// - Throws: `ExitCode` 78; nothing was opened then but the library's log.
  static func check(_ command: any LibraryCommand) throws {
    let files = (command.namedFiles + [command.namedKey]).compactMap(\.self)
      .filter { FileSystem.exists($0.bytes) }
    let newKey = command.namedKey.flatMap { FileSystem.exists($0.bytes) ? nil : $0 }
    if files.isEmpty && newKey == nil { return }
    let closed = ClosedFolders(ofLibrary: command.library.bytes)
    if let newKey {
      do { try closed.check(missing: newKey.bytes, "--key") } catch { throw error.reported(in: .text) }
    }
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
    let refusals = manifest.sources.compactMap { source, declaration -> Folder? in
      guard refused.sources.contains(source), let path = declaration.path else { return nil }
      return ("the \(source.displayName)", Array(path.utf8))
    }
    let absolute = refusals.filter { $0.path.first == .slash }
    let relative = refusals.filter { $0.path.first != .slash }
    guard !relative.isEmpty else { return absolute }
    let folders = manifestFolders(
      ofLibrary: FileSystem.resolved(library) ?? library,
      output: Array(manifest.output.utf8),
      apartFrom: ClosedFolders(absolute)
    )
    return absolute
      + folders.flatMap { folder in relative.map { ($0.name, folder + [UInt8.slash] + $0.path) } }
      .filter { FileSystem.exists($0.1) }
  }

  /// The folders in which a manifest may lie, which its relative paths mean and of which only the way to the library is
  /// known: one, where the way leads up (`../Library`) each folder that it may lead up from, and none where it is
  /// absolute or leads up further than two folders, as there would be thousands to list.
  private static func manifestFolders(
    ofLibrary library: [UInt8],
    output: [UInt8],
    apartFrom closed: ClosedFolders
  ) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var levels = 0
    for name in output.split(separator: .slash).map(Array.init) where name != [UInt8](".".utf8) {
      if name != [UInt8]("..".utf8) { names.append(name) } else if names.popLast() == nil { levels += 1 }
    }
    let way = names.flatMap { [UInt8.slash] + $0 }
    guard output.first != .slash, levels <= 2, library.suffix(way.count).elementsEqual(way) else { return [] }
    return (0..<levels).reduce([library.dropLast(way.count)]) { folders, _ in
      folders.flatMap { folder in
        let open = try? closed.openFolder(folder + [UInt8.slash], "")
        let entries = open.flatMap { try? FileSystem.entries(of: $0) } ?? []
        return entries.filter { $0.kind != .regular }.map { folder + [UInt8.slash] + $0.name }
      }
    }
  }
}
