internal import MediaAudit
internal import MediaModel

/// Finds the assets that a word of the command line means: a localIdentifier, a label, the path of a file in
/// its source or in the library, or, where it is none of these, the beginning of a localIdentifier.
struct AssetNames {
  private let word: String
  /// The places that merges have given to the assets of shards.
  private let placements: AssetPlacements
  /// Whether an asset has the word as its identifier: then it means nothing else.
  private(set) var isIdentifier = false
  /// The assets that have the word as a label or a path, each once, in the order of the log; escaped.
  private var named: [String] = []
  /// Those of them that have its very characters, and not others that are the same to a person.
  private var exactlyNamed: [String] = []
  /// Those whose identifiers begin with the word; escaped.
  private var begun: Set<String> = []
  /// The assets that are meant.
  var found: [String] {
    if !exactlyNamed.isEmpty { return exactlyNamed }
    return named.isEmpty ? begun.sorted() : named
  }
  /// The folders of the sources, in the words of the manifest and resolved, as the run that is read has
  /// them.
  private var folders: [SourceID: [String]] = [:]

  /// See ``piece(of:)``.
  private let piece: ByteSearch?

  /// - Parameters:
  ///   - word: In the form in which reports print paths, or plain.
  ///   - placements: The places that merges have given to the assets of shards.
  init(_ word: String, _ placements: AssetPlacements) {
    self.word = word
    self.placements = placements
    piece = Self.piece(of: word)
  }

  /// Whether a record can tell what the word means; false for no line of one that does.
  func mayConcern(_ line: UnsafeRawBufferPointer) -> Bool {
    let begins = Self.assetKey.offset(in: line).map { offset in
      Self.begins(line[(offset + Self.assetKey.bytes.count)...], with: word)
    }
    if begins == true { return true }
    guard let event = Self.eventKey.offset(in: line) else { return true }
    let name = line[(event + Self.eventKey.bytes.count)...]
    if name.starts(with: "run\"".utf8) || name.starts(with: "source\"".utf8) { return true }
    return piece.map { $0.offset(in: line) != nil } ?? true
  }

  private static let assetKey = ByteSearch(Array("\"asset\":\"".utf8))
  private static let eventKey = ByteSearch(Array("\"event\":\"".utf8))

  /// A piece of a word's last part that stands in the line of each record with a file of that name or path; nil where
  /// letters may be written in another way there.
  private static func piece(of word: String) -> ByteSearch? {
    if word.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) {
      return nil
    }
    var (piece, longest): ([UInt8], [UInt8]) = ([], [])
    for byte in Array(word.utf8) + [0] {
      if byte == .slash { longest = [] }
      // With what follows, a letter may be one character, which can also be written in one piece.
      if byte >= 0x80 { piece = piece.dropLast() }
      if byte.isASCIIAlphanumeric {
        piece.append(byte)
        continue
      }
      if byte != .slash, piece.count > longest.count { longest = piece }
      piece = []
    }
    return longest.count >= shortestPiece ? ByteSearch(longest) : nil
  }

  /// A shorter piece stands in nearly every line.
  private static let shortestPiece = 2

  mutating func look(at entry: AuditEntry) {
    if entry.event == .run { folders = [:] }
    if let listing: AuditListing = entry.body() {
      folders[listing.source] = [listing.path, listing.resolvedPath].compactMap { path in
        path.map { ReportText.path($0.bytes) }
      }
    }
    if let rename = entry.rename {
      let path = rename.output.path
      let label = Self.label(ofFile: path)
      add(ReportText.line(rename.asset, limit: 100), [label, ReportText.path(path.bytes)])
      return
    }
    guard let item = ReportItem(entry, placements: placements), let asset = item.localIdentifier
    else { return }
    // The identifier that a duplicate had in its shard means the asset that has its content.
    let stated = entry.item?.localIdentifier.map { ReportText.line($0, limit: 100) }
    add(asset, names(of: item) + [stated].compactMap(\.self))
  }

  /// The label that the name of a renamed file has: a thumbnail's begins with a time.
  private static func label(ofFile path: ItemPath) -> String {
    let stem = String(decoding: path.stem, as: UTF8.self)
    let isThumbnail = path.bytes.starts(with: "Thumbnails/".utf8)
    return ReportText.line(isThumbnail ? String(stem.drop { $0 != " " }.dropFirst()) : stem)
  }

  private mutating func add(_ asset: String, _ names: [String]) {
    if asset == word { isIdentifier = true }
    if begun.count < Self.shownCount, Self.begins(asset.utf8, with: word) { begun.insert(asset) }
    let same = names.filter { $0 == word }
    if same.isEmpty { return }
    if !named.contains(asset) { named.append(asset) }
    if same.contains(where: { $0.utf8.elementsEqual(word.utf8) }), !exactlyNamed.contains(asset) {
      exactlyNamed.append(asset)
    }
  }

  /// The number of assets that a refusal names, and one more, which it does not.
  static let shownCount = 11

  /// A shorter word is not taken for the beginning of an identifier.
  static let fewestDigits = 4

  /// Whether an identifier begins with the digits and hyphens of a word, in any case.
  private static func begins(_ identifier: some Collection<UInt8>, with word: String) -> Bool {
    word.utf8.count >= fewestDigits && identifier.count >= word.utf8.count
      && zip(identifier, word.utf8).allSatisfy { digit, other in
        // Case is one bit of a letter.
        digit == other || (digit | 0x20 == other | 0x20 && other | 0x20 >= UInt8(ascii: "a"))
      }
  }

  /// The error that says that a word names several assets, with the identifiers of the first ten.
  static func refusal(of word: String, _ assets: [String]) -> ReportError {
    let shown = assets.prefix(shownCount - 1).joined(separator: ", ")
    let count = assets.count < shownCount ? Quantity.text(assets.count, "asset") : "several assets"
    return ReportError(
      code: .noSuchAsset,
      description: "\"\(ReportText.line(word, limit: 100))\" names \(count): \(shown)"
        + "\(assets.count < shownCount ? "" : " and others"). Give one of these."
    )
  }

  private func names(of item: ReportItem) -> [String] {
    let paths = forms(of: item.path)
    return paths + [item.label].compactMap(\.self) + (item.output.map { forms(of: $0.path) } ?? [])
      + (folders[item.source] ?? []).flatMap { folder in paths.map { "\(folder)/\($0)" } }
  }

  /// How a path may be written: as reports print it, and as it is.
  private func forms(of path: ItemPath) -> [String] {
    let shown = ReportText.path(path.bytes)
    guard word.utf8.contains(UInt8(ascii: "%")), let plain = String(validating: path.bytes, as: UTF8.self)
    else { return [shown] }
    return [shown, plain]
  }
}
