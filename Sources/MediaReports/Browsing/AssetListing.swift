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
        paths: { asset.files.map(\.path) }
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
      asset.creationDate.map { ReportText.line($0.substituting("T", by: " ")) } ?? "undated",
      asset.mediaType.rawValue,
      asset.durationMilliseconds.map { Quantity.clock($0 / 1000) } ?? "",
      asset.pixelSize.map { "\($0.width)x\($0.height)" } ?? "",
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

  private static let columns = [
    "localIdentifier", "label", "mediaType", "mediaSubtypes", "format", "creationDate",
    "creationDateOffsetMinutes", "creationDateTag", "duration", "pixelWidth", "pixelHeight",
    "isFavorite", "isHidden", "rating", "caption", "keywords", "people", "city", "region",
    "country", "camera", "burstIdentifier", "stack", "stackCover", "isDegraded", "source",
    "policy", "addedDate", "bytes", "path",
  ]

  private static func values(_ asset: ListedAsset) -> [String] {
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "" }
    let milliseconds = asset.durationMilliseconds.map { JSONValue.decimal(thousandths: Int64($0)) }
    return [
      asset.localIdentifier, asset.label, asset.mediaType.rawValue,
      asset.mediaSubtypes.joined(separator: " "), asset.files.first?.format ?? "",
      asset.creationDate ?? "", text(asset.creationDateOffsetMinutes), asset.creationDateTag ?? "",
      milliseconds.map { String(decoding: $0.serialized, as: UTF8.self) } ?? "",
      text(asset.pixelSize?.width), text(asset.pixelSize?.height), "\(asset.isFavorite)",
      "\(asset.isHidden)", text(asset.rating), asset.caption ?? "",
      asset.keywords.joined(separator: ", "), asset.people.joined(separator: ", "),
      asset.placeName?.city ?? "", asset.placeName?.region ?? "",
      asset.placeName?.country ?? "", asset.camera ?? "", asset.burstIdentifier ?? "",
      asset.stack?.kind.rawValue ?? "", asset.stack?.cover ?? "",
      "\(asset.isDegraded)", asset.source, asset.policy, asset.added,
      asset.files.first.map { "\($0.bytes)" } ?? "", asset.files.first?.path ?? "",
    ]
  }

  // MARK: - JSON

  /// An asset as an object; a value that is not known is null.
  static func object(_ asset: ListedAsset) -> JSONValue {
    [
      "localIdentifier": .string(asset.localIdentifier),
      "label": .string(asset.label),
      "mediaType": .string(asset.mediaType.rawValue),
      "mediaSubtypes": .array(asset.mediaSubtypes.map { .string($0) }),
      "creationDate": JSONValue(asset.creationDate),
      "creationDateOffsetMinutes": JSONValue(asset.creationDateOffsetMinutes),
      "creationDateTag": JSONValue(asset.creationDateTag),
      "creationDateStated": JSONValue(asset.creationDateStated),
      "duration": asset.durationMilliseconds.map { .decimal(thousandths: Int64($0)) } ?? .null,
      "pixelWidth": JSONValue(asset.pixelSize?.width),
      "pixelHeight": JSONValue(asset.pixelSize?.height),
      "isFavorite": .bool(asset.isFavorite),
      "isHidden": .bool(asset.isHidden),
      "rating": JSONValue(asset.rating),
      "caption": JSONValue(asset.caption),
      "keywords": .array(asset.keywords.map { .string($0) }),
      "people": .array(asset.people.map { .string($0) }),
      "city": JSONValue(asset.placeName?.city),
      "region": JSONValue(asset.placeName?.region),
      "country": JSONValue(asset.placeName?.country),
      "camera": JSONValue(asset.camera),
      "burstIdentifier": JSONValue(asset.burstIdentifier),
      "isBurstPick": .bool(asset.isBurstPick),
      "stack": asset.stack.map { stack in
        [
          "kind": .string(stack.kind.rawValue), "cover": .string(stack.cover),
          "assets": JSONValue(stack.count),
        ]
      } ?? .null,
      "isAnimated": .bool(asset.isAnimated),
      "isDegraded": .bool(asset.isDegraded),
      "source": .string(asset.source),
      "policy": .string(asset.policy),
      "addedDate": .string(asset.added),
      "files": .array(files(of: asset)),
    ]
  }

  /// The files of an asset; the movie of a motion photo is told at the file that it lies in.
  private static func files(of asset: ListedAsset) -> [JSONValue] {
    asset.files.enumerated().map { index, file in
      var members: [String: JSONValue] = [
        "role": .string(file.role), "path": .string(file.path), "format": .string(file.format),
        "bytes": .integer(file.bytes), "sha256": .string(file.sha256),
      ]
      if index == 0, let movie = asset.embeddedMovie {
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
