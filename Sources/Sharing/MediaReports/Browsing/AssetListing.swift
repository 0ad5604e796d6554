internal import MediaLibrary
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

  /// Writes an asset.
  package mutating func add(_ asset: ListedAsset) {
    frame.add(
      ListingFrame.Entry(
        table: { [Self.line(Self.cells(asset))] },
        csv: { [Self.values(asset)] },
        object: { Self.object(asset) },
        paths: { asset.files.map(\.path) },
        assets: { [asset] }
      )
    )
  }

  /// Writes the path of a file below the library, in a list of paths alone.
  package func add(path: String) { frame.add(path: path) }

  /// Writes what comes behind the last asset.
  ///
  /// - Throws: The first error of writing.
  package mutating func finish() throws { try frame.finish(schema: "mediabatch.list/1") }

  // MARK: - Table

  private static let head = ["taken", "type", "length", "pixels", "badges", "label", "identifier"]
  private static let widths = [19, 5, 7, 11, 20, 32, 0]

  private static func line(_ cells: [String]) -> String {
    let columns = zip(cells, widths).map { TextLayout.padded($0, to: $1) }
    return columns.joined(separator: "  ") + "\n"
  }

  private static func cells(_ asset: ListedAsset) -> [String] {
    [
      (asset.facts.creationDate?.local).map { ReportText.line($0.substituting("T", by: " ")) }
        ?? "undated",
      asset.mediaType.rawValue,
      asset.facts.durationMilliseconds.map { Quantity.clock($0 / 1000) } ?? "",
      asset.facts.pixelSize.map { "\($0.width)x\($0.height)" } ?? "",
      badges(asset).joined(separator: " "),
      ReportText.line(asset.label), asset.localIdentifier,
    ]
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
    switch fact.value(of: asset.facts) {
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

  /// An asset as an object; a value that is not known is null.
  static func object(_ asset: ListedAsset) -> JSONValue {
    var members: [String: JSONValue] = [
      "localIdentifier": .string(asset.localIdentifier),
      "label": .string(asset.label),
      "mediaType": .string(asset.mediaType.rawValue),
      "mediaSubtypes": .array(asset.mediaSubtypes.map { .string($0) }),
      "stack": asset.stack.map { stack in
        [
          "kind": .string(stack.kind.rawValue), "cover": .string(stack.cover),
          "assets": JSONValue(stack.count),
        ]
      } ?? .null,
      "isAnimated": .bool(asset.isAnimated),
      "isDegraded": .bool(asset.isDegraded),
      "source": .string(asset.source), "sourceName": .string(asset.sourceName),
      "policy": .string(asset.policy),
      "addedDate": .string(asset.added),
      "files": .array(files(of: asset)),
    ]
    if asset.rotation != 0 { members["rotation"] = JSONValue(asset.rotation) }
    members.reserveCapacity(members.count + FactColumn.inObjects.count)
    for fact in FactColumn.inObjects { members[fact.column.word] = member(fact, asset) }
    return .object(members)
  }

  private static func member(_ fact: FactColumn, _ asset: ListedAsset) -> JSONValue {
    switch fact.value(of: asset.facts) {
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

  /// The files of an asset; the movie of a motion photo is told at the file that it lies in.
  private static func files(of asset: ListedAsset) -> [JSONValue] {
    asset.files.enumerated().map { index, file in
      var members: [String: JSONValue] = [
        "role": .string(file.role), "path": .string(file.path), "format": .string(file.format),
        "bytes": .integer(file.bytes), "sha256": .string(file.sha256),
        "sourcePath": JSONValue(sourcePath(of: file)),
      ]
      if index == 0, let movie = asset.facts.embeddedMovie {
        let embedded: JSONValue = [
          "role": .string(ResourceRole.pairedVideo.rawValue),
          "offset": JSONValue(movie.offset), "length": JSONValue(movie.length),
        ]
        members["embedded"] = embedded
      }
      return JSONValue.object(members)
    }
  }
}
