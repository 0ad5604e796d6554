package import MediaLibrary
internal import MediaSyntax

/// Writes a list of stacks, one after the other.
package struct StackListing {
  private let format: ListingFormat
  private let sink: ReportSink
  private let paths: PathWriter
  private var object: JSONPieces?
  private var array: JSONPieces?

  /// Writes what comes before the first stack.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  ///   - sink: Where to.
  package init(_ format: ListingFormat, library: [UInt8], to sink: ReportSink) {
    self.format = format
    self.sink = sink
    paths = PathWriter(library: library, isTerminatedByNUL: format == .paths0, to: sink)
    switch format {
    case .table: sink.text(Self.line(["stack", "place", "format", "identifier", "label"]))
    case .csv:
      sink.text(
        CSVReport.line(["stack", "position", "localIdentifier", "format", "label", "path"])
      )
    case .json:
      var object = JSONPieces.object(sink)
      object.begin("stacks")
      array = JSONPieces.array(sink)
      self.object = object
    case .ndjson, .paths, .paths0: break
    }
  }

  /// Writes a stack with its assets, the cover first.
  package mutating func add(_ kind: StackKind, _ assets: [ListedAsset]) {
    switch format {
    case .table:
      for (position, asset) in assets.enumerated() {
        sink.text(
          Self.line([
            kind.rawValue, position == 0 && kind.isStack ? "cover" : "",
            asset.files.first?.format ?? "", asset.localIdentifier, ReportText.line(asset.label),
          ])
        )
      }
    case .csv:
      for (position, asset) in assets.enumerated() {
        sink.text(
          CSVReport.line([
            kind.rawValue, "\(position)", asset.localIdentifier, asset.files.first?.format ?? "",
            asset.label, asset.files.first?.path ?? "",
          ])
        )
      }
    case .json: array?.add(Self.object(kind, assets))
    case .ndjson:
      sink.value(Self.object(kind, assets))
      sink.text("\n")
    case .paths, .paths0:
      for file in assets.first?.files ?? [] { paths.add(file.path) }
    }
  }

  /// Writes what comes behind the last stack.
  ///
  /// - Throws: The first error of writing.
  package mutating func finish() throws {
    if var object {
      array?.close()
      object.add("schema", "mediabatch.stacks/1")
      object.close()
      sink.text("\n")
    }
    try sink.finish()
  }

  private static let widths = [9, 5, 6, 36, 0]

  private static func line(_ cells: [String]) -> String {
    zip(cells, widths).map { TextLayout.padded($0, to: $1) }.joined(separator: "  ") + "\n"
  }

  private static func object(_ kind: StackKind, _ assets: [ListedAsset]) -> JSONValue {
    [
      "kind": .string(kind.rawValue),
      "cover": kind.isStack ? JSONValue(assets.first?.localIdentifier) : .null,
      "assets": .array(assets.map(AssetListing.object)),
    ]
  }
}
