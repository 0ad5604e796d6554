package import MediaLibrary
package import MediaModel
internal import MediaSyntax

/// Writes a list of assets, one after the other.
package struct AssetListing {
  private var frame: ListingFrame

  /// Writes what comes before the first asset.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  ///   - sink: Where to.
  package init(_ format: ListingFormat, library: [UInt8], to sink: ReportSink) {
    frame = ListingFrame(
      of: "assets",
      format,
      library: library,
      to: sink,
      table: Self.line(Self.head),
      csv: Self.columns
    )
  }

  /// What has to be read of an asset.
  package var parts: AssetParts { frame.form.format == .table ? Self.partsOfCells : .all }

  /// Makes an entry of an asset, on any thread.
  package var entry: @Sendable (ListedAsset) -> ListingEntry {
    { [form = frame.form] asset in
      form.entry(
        table: { [Self.line(Self.cells(asset))] },
        csv: { [Self.values(asset)] },
        object: { Self.object(asset) },
        paths: { asset.files.map(\.path) },
        assets: { [asset] }
      )
    }
  }

  /// Writes an entry.
  package mutating func add(_ entry: ListingEntry) { frame.add(entry) }

  /// Makes an entry of the paths of an asset's files below the library, in a list of paths alone, on any thread.
  package var entryOfPaths: @Sendable ([String]) -> ListingEntry {
    { [form = frame.form] in form.entry(paths: $0) }
  }

  /// Writes what comes behind the last asset.
  ///
  /// - Throws: The first error of writing.
  package mutating func finish() throws { try frame.finish(schema: "mediabatch.list/1") }

  // MARK: - Table

  private static let head = ["taken", "type", "length", "pixels", "badges", "label", "identifier"]
  private static let widths = [19, 5, 7, 11, 20, 32, 0]

  private static func line(_ cells: [String]) -> String { TextLayout.row(cells, widths) }

  /// What ``cells(_:)`` and the badges are made of.
  private static let partsOfCells = AssetParts.facts([
    .creationDate, .durationMilliseconds, .pixelWidth, .pixelHeight, .mediaSubtypes, .frameCount, .rating,
    .isFavorite, .isHidden, .burst,
  ])

  private static func cells(_ asset: ListedAsset) -> [String] {
    [
      (asset.facts.creationDate?.local).map { ReportText.line(spaced($0)) } ?? "undated",
      asset.mediaType.rawValue,
      asset.facts.durationMilliseconds.map { Quantity.clock($0 / 1000) } ?? "",
      asset.facts.pixelSize.map { "\($0.width)x\($0.height)" } ?? "",
      badges(asset).joined(separator: " "),
      ReportText.line(asset.label), asset.localIdentifier,
    ]
  }

  /// A date with a space before the time.
  private static func spaced(_ date: String) -> String {
    String(decoding: date.utf8.map { $0 == UInt8(ascii: "T") ? .space : $0 }, as: UTF8.self)
  }

  /// The words that tell an asset from a plain photo, and its stack.
  static func badges(_ asset: ListedAsset) -> [String] {
    // The cover tells how many there are; the others are recognized by the same word.
    let stack = asset.stack.map { stack in
      stack.cover == asset.localIdentifier ? "stack:\(stack.count)" : "stacked"
    }
    return asset.badges + [stack].compactMap { $0 }
  }

  // MARK: - Spreadsheet

  private static let columns =
    ["localIdentifier", "label", "mediaType", "mediaSubtypes", "format"]
    + FactColumn.inRows.map(\.column.word)
    + [
      "stack", "stackCover", "isDegraded", "source", "sourceName", "policy", "addedDate", "bytes", "path",
      "sourcePath",
    ]

  private static func values(_ asset: ListedAsset) -> [String] {
    var values = [
      asset.localIdentifier, asset.label, asset.mediaType.rawValue,
      asset.mediaSubtypes.joined(separator: " "), asset.files.first?.format ?? "",
    ]
    for fact in FactColumn.inRows { values.append(cell(fact, asset)) }
    return values + [
      asset.stack?.kind.rawValue ?? "", asset.stack?.cover ?? "",
      "\(asset.isDegraded)", asset.source, asset.sourceName, asset.policy, asset.added,
      asset.files.first.map { "\($0.bytes)" } ?? "", asset.files.first?.path ?? "",
      asset.files.first.flatMap { sourcePath(of: $0) } ?? "",
    ]
  }

  private static func cell(_ fact: FactColumn, _ asset: ListedAsset) -> String {
    switch asset.value(of: fact) {
    case .null: fact.kind == .flag ? "false" : ""
    case .integer(let value) where fact.kind == .flag: "\(value != 0)"
    case .integer(let value) where fact.kind == .milliseconds:
      String(decoding: JSONValue.decimal(thousandths: value).serialized, as: UTF8.self)
    case .integer(let value): "\(value)"
    case .real(let value): String(decoding: JSONValue.degrees(value).serialized, as: UTF8.self)
    case .text(let text): text
    case .list(let texts): texts.joined(separator: ", ")
    }
  }

  // MARK: - JSON

  /// What an object has besides facts.
  private enum Word: String, CaseIterable {
    case localIdentifier, label, mediaType, mediaSubtypes, stack, isAnimated, isDegraded, source, sourceName,
      policy,
      addedDate, files, rotation
  }

  /// The members of an object in the order of their keys, which are written with the colon.
  private static let members: [(key: [UInt8], word: Word?, fact: FactColumn?)] = {
    let words = Word.allCases.map { ($0.rawValue, $0 as Word?, nil as FactColumn?) }
    let facts = FactColumn.inObjects.map { ($0.column.word, nil as Word?, $0 as FactColumn?) }
    return (words + facts).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      .map { (JSONValue.string($0).serialized + [UInt8.colon], $1, $2) }
  }()

  /// An asset as an object; a value that is not known is null.
  static func object(_ asset: ListedAsset) -> JSONValue {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2048)
    for (key, word, fact) in members where word != .rotation || asset.rotation != 0 {
      bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8.comma)
      bytes.append(contentsOf: key)
      if let word {
        value(word, asset).write(to: &bytes)
      } else if let fact {
        member(fact, asset).write(to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "}"))
    return .written(bytes)
  }

  private static func value(_ word: Word, _ asset: ListedAsset) -> JSONValue {
    switch word {
    case .localIdentifier: .string(asset.localIdentifier)
    case .label: .string(asset.label)
    case .mediaType: .string(asset.mediaType.rawValue)
    case .mediaSubtypes: .array(asset.mediaSubtypes.map { .string($0) })
    case .stack:
      asset.stack.map { stack in
        [
          "kind": .string(stack.kind.rawValue), "cover": .string(stack.cover),
          "assets": JSONValue(stack.count),
        ]
      } ?? .null
    case .isAnimated: .bool(asset.isAnimated)
    case .isDegraded: .bool(asset.isDegraded)
    case .source: .string(asset.source)
    case .sourceName: .string(asset.sourceName)
    case .policy: .string(asset.policy)
    case .addedDate: .string(asset.added)
    case .files: .written(files(of: asset))
    case .rotation: JSONValue(asset.rotation)
    }
  }

  private static func member(_ fact: FactColumn, _ asset: ListedAsset) -> JSONValue {
    switch asset.value(of: fact) {
    case .null: fact.kind == .flag ? false : fact.kind == .list ? [] : .null
    case .integer(let value) where fact.kind == .flag: .bool(value != 0)
    case .integer(let value) where fact.kind == .milliseconds: .decimal(thousandths: value)
    case .integer(let value): .integer(value)
    case .real(let value): .degrees(value)
    case .text(let text): .string(text)
    case .list(let texts): .array(texts.map { .string($0) })
    }
  }

  /// The path in the source as a shell takes it: each `%` of a name stays, as in labels.
  private static func sourcePath(of file: ListedAsset.File) -> String? {
    file.sourcePath.map { EscapedText.name($0.bytes) }
  }

  /// The files of an asset as an array; the movie of a motion photo is told at the file that it lies in.
  private static func files(of asset: ListedAsset) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    func add(_ key: String, _ value: JSONValue) {
      bytes.append(contentsOf: key.utf8)
      value.write(to: &bytes)
    }
    // The keys stand in their order.
    for (index, file) in asset.files.enumerated() {
      add(index == 0 ? "{\"bytes\":" : ",{\"bytes\":", .integer(file.bytes))
      if index == 0, let movie = asset.facts.embeddedMovie {
        let embedded: JSONValue = [
          "role": .string(ResourceRole.pairedVideo.rawValue),
          "offset": JSONValue(movie.offset), "length": JSONValue(movie.length),
        ]
        add(",\"embedded\":", embedded)
      }
      add(",\"format\":", .string(file.format))
      add(",\"path\":", .string(file.path))
      add(",\"role\":", .string(file.role))
      add(",\"sha256\":", .string(file.sha256))
      add(",\"sourcePath\":", JSONValue(sourcePath(of: file)))
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
