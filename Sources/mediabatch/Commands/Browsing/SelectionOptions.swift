internal import ArgumentParser
internal import Glibc
internal import MediaExport
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate

/// The assets that a command is about.
struct SelectionOptions: ParsableArguments {
  /// The rule of all commands that have them.
  static let rule: OptionRule = "--selected-in goes with --selection."

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only assets that meet this condition, such as 'rating >= 4'.",
      details: "It is a predicate as PhotoKit's fetch options take it.",
      valueName: "predicate"
    ),
    transform: PredicateOption.predicate
  )
  var predicate: String?

  @Option(
    help: ArgumentHelp("Only assets of this album, by its title or folder.", valueName: "album")
  )
  var album: String?

  @Option(
    name: .customLong("selection"),
    help: ArgumentHelp(
      "Only assets of a selection that was saved on a gallery's page.",
      details: "A hyphen (-) reads the selection from standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var chosen: PathArgument?

  @Option(
    help: .rare(
      "The library of that gallery, if it is another one.",
      details: "Selected are the assets that were imported from the same files.",
      valueName: "library"
    ),
    completion: .directory
  )
  var selectedIn: PathArgument?

  @Flag(help: .rare("Include hidden assets."))
  var includeHidden = false

  @Flag(help: .rare("Take only the cover of each stack, or its first selected asset."))
  var covers = false

  /// The query without the album and the chosen assets, which ``narrow(_:in:)`` finds in the library.
  func query() throws -> AssetQuery {
    var query = AssetQuery()
    query.includesHidden = includeHidden
    query.showsCoversOnly = covers
    query.predicate = try predicate.map(FetchPredicate.init)
    return query
  }

  /// Gives a query the album and the chosen assets. Who chose them is said, with each identifier that leads to no
  /// asset.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - reader: The library.
  ///   - takesStacks: Whether what is in one stack with an asset that was chosen in another library is taken too.
  /// - Returns: Whether there are identifiers, and all lead to an asset; if not, the command ends with 3 when it has
  ///   done the rest.
  /// - Throws: ``AlbumError``, ``CommandFailure`` for a file that is no selection, ``LibraryError``.
  func narrow(
    _ query: inout AssetQuery,
    in reader: CatalogueReader,
    takesStacks: Bool = false
  ) throws -> Bool {
    query.album = try album(in: reader)
    guard let chosen else { return true }
    let selection = try Self.selection(chosen)
    let resolved =
      try selectedIn.map { gallery in
        try selection.resolved(
          in: reader,
          selectedIn: CatalogueReader(library: gallery.bytes),
          includesHidden: includeHidden,
          takesStacks: takesStacks
        )
      } ?? selection.resolved(in: reader, includesHidden: includeHidden)
    query.rows = resolved.rows
    SelectionText.write(selection, resolved, isOfOther: selectedIn != nil)
    return resolved.isWhole && selection.others.isEmpty
  }

  /// What is opened of the library that ``selectedIn`` names.
  var catalogueOfGallery: PathArgument? {
    selectedIn.map { PathArgument($0.bytes + [UInt8.slash] + Array(LibraryFolder.catalogueName.utf8)) }
  }

  /// The album of this name; nil when none is named.
  ///
  /// - Throws: ``AlbumError`` when the library has none or several of that name, ``LibraryError``.
  private func album(in reader: CatalogueReader) throws -> Album? {
    guard let album else { return nil }
    let matches = try reader.albums(named: album)
    guard let only = matches.first else {
      let hasFolders = try reader.albums().albums.contains { $0.album.folderText != nil }
      throw AlbumError.missing(album, hasFolders: hasFolders)
    }
    guard matches.count == 1 else { throw AlbumError.ambiguous(matches.compactMap(\.folderText)) }
    return only
  }
}

extension SelectionOptions {
  /// Reads a selection, of which a byte more than it may have is enough.
  ///
  /// - Throws: ``CommandFailure`` for a file that is no selection, or cannot be read.
  private static func selection(_ file: PathArgument) throws(CommandFailure) -> ClientSelection {
    let isInput = file.bytes == Array("-".utf8)
    let inputName =
      isInput ? "Standard input" : "\"\(EscapedText.percentEscaped(file.bytes))\""
    let limit = ClientSelection.mostBytes
    if !isInput, (try? FileSystem.status(ofPath: file.bytes))?.kind == .folder {
      throw CommandFailure(
        "\(inputName) is a folder. Name the file that the page has saved, such as selection-12.txt."
      )
    }
    do {
      let bytes =
        isInput
        ? try Descriptor(owning: dup(STDIN_FILENO), path: file.bytes).readToEnd(limit: limit)
        : try FileSystem.readSmallStream(file.bytes, limit: limit)
      return try ClientSelection(bytes)
    } catch let error as SelectionError {
      throw CommandFailure("\(inputName) is no selection: \(error).")
    } catch let error as FileSystemError where error.errno == EFBIG {
      throw CommandFailure("\(inputName) is no selection: \(SelectionError.tooLong).")
    } catch let error as FileSystemError where error.isMissing {
      throw CommandFailure(
        "There is no file \(inputName). Name the one that the client's page has saved, such as selection-12.txt."
      )
    } catch {
      throw CommandFailure("\(inputName) cannot be read as a selection: \(error.reason(besides: inputName)).")
    }
  }
}

/// An album's name that leads to no album, or to several.
private enum AlbumError: CommandError, CustomStringConvertible {
  case missing(String, hasFolders: Bool)
  case ambiguous([String])

  var exitCode: RunExitCode { .usage }

  var description: String {
    switch self {
    case .missing(let name, let hasFolders):
      "The library has no album \"\(EscapedText.printable(name))\"."
        + (hasFolders
          ? "" : " Folders are albums with \"albums\": {\"fromFolders\": true} in the manifest.")
    case .ambiguous(let folders):
      "Several folders have this name. Name one of them: "
        + folders.map { "\"\(EscapedText.printable($0))\"" }.joined(separator: ", ") + "."
    }
  }
}

/// The order of the assets of a library.
struct SortOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sort by this key, such as creationDate:descending; may be repeated.",
      details: "The order is ascending or descending. Assets without a value come last in both.",
      valueName: "key"
    ),
    transform: PredicateOption.sortDescriptor
  )
  var sort: [String] = []

  /// Gives a query this order, if there is any.
  func apply(to query: inout AssetQuery) throws {
    if !sort.isEmpty { query.sortDescriptors = try sort.map(FetchSortDescriptor.init) }
  }
}

/// Predicates and sort descriptors of a command line, which stay texts: a folder that was made of a library knows its
/// selection by them.
enum PredicateOption {
  /// - Throws: ``OptionWordError`` with the place of the mistake.
  static func predicate(_ text: String) throws -> String {
    do {
      _ = try FetchPredicate(text)
      return text
    } catch {
      throw OptionWordError(description: "\(error.description)\n" + excerpt(text, error.column))
    }
  }

  /// - Throws: ``OptionWordError``.
  static func sortDescriptor(_ text: String) throws -> String {
    do {
      _ = try FetchSortDescriptor(text)
      return text
    } catch {
      throw OptionWordError(description: "\(error.sentence).")
    }
  }

  /// The text around a column with a mark below it.
  private static func excerpt(_ text: String, _ column: Int) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = max(0, min(column - 1, scalars.count) - 40)
    var line = String.UnicodeScalarView()
    // A character that takes no column or two would move the mark.
    for scalar in scalars[start..<min(scalars.count, start + 72)] {
      line.append(EscapedText.isPrintable(scalar) ? scalar : " ")
    }
    let spaces = String(repeating: " ", count: max(0, column - 1 - start))
    return "  \(String(line))\n  \(spaces)^"
  }
}

extension CatalogueReader {
  /// Reads the private facts too, where there are some; a note says where this user may not.
  func readPrivateFactsIfAllowed() throws {
    do throws(LibraryError) {
      try readPrivateFacts()
    } catch {
      guard error.code == .cannotWrite else { throw error }
      Console.note(error.description)
    }
  }
}

extension AssetSelection {
  /// Notes about assets that are being withdrawn, and about keys whose values the library does not have.
  func notes(_ query: AssetQuery) -> [String] {
    let sortKeys = Set(query.sortDescriptors.map(\.key))
    let predicateKeys = query.predicate?.keys ?? []
    func effect(_ key: PredicateKey) -> String {
      var parts: [String] = []
      if predicateKeys.contains(key) { parts.append("--where takes it for not known") }
      if sortKeys.contains(key) { parts.append("they are sorted last") }
      return parts.isEmpty ? "" : ": " + parts.joined(separator: ", and ")
    }
    let leaving =
      withdrawing == 0
      ? []
      : [
        "\(Quantity.text(withdrawing, "asset")) left out, being withdrawn. If that was interrupted, the next "
          + "command that writes into the library finishes it."
      ]
    return leaving
      + unknown.map { key, assets in
        "\(key.rawValue) of \(Quantity.text(assets, "asset")) is not known, since it was stripped and "
          + "no private facts are read\(effect(key))."
      }
  }
}
