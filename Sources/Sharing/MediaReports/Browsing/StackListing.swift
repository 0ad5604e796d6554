internal import MediaLibrary
package import MediaModel
internal import MediaSyntax

/// Writes a list of stacks, one after the other.
package struct StackListing {
  private var frame: ListingFrame

  /// Writes what comes before the first stack.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  ///   - sink: Where to.
  package init(_ format: ListingFormat, library: [UInt8], to sink: ReportSink) {
    frame = ListingFrame(
      of: "stacks",
      format,
      library: library,
      to: sink,
      table: Self.line(["stack", "place", "format", "identifier", "label"]),
      csv: ["stack", "position", "localIdentifier", "format", "label", "path"]
    )
  }

  /// Writes a stack with its assets, the cover first.
  package mutating func add(_ kind: StackKind, _ assets: [ListedAsset]) {
    frame.add(
      frame.form.entry(
        table: {
          assets.enumerated().map { position, asset in
            Self.line([
              kind.rawValue, position == 0 && kind.isStack ? "cover" : "",
              asset.files.first?.format ?? "", asset.localIdentifier, ReportText.line(asset.label),
            ])
          }
        },
        csv: {
          assets.enumerated().map { position, asset in
            [
              kind.rawValue, "\(position)", asset.localIdentifier,
              asset.files.first?.format ?? "", asset.label, asset.files.first?.path ?? "",
            ]
          }
        },
        object: { Self.object(kind, assets) },
        paths: { assets.first?.files.map(\.path) ?? [] },
        assets: { Array(assets.prefix(1)) }
      )
    )
  }

  /// Writes what comes behind the last stack.
  ///
  /// - Throws: The first error of writing.
  package mutating func finish() throws { try frame.finish(schema: "mediabatch.stacks/1") }

  private static let widths = [9, 5, 6, 36, 0]

  private static func line(_ cells: [String]) -> String {
    TextLayout.row(cells, widths)
  }

  private static func object(_ kind: StackKind, _ assets: [ListedAsset]) -> JSONValue {
    [
      "kind": .string(kind.rawValue),
      "cover": kind.isStack ? JSONValue(assets.first?.localIdentifier) : .null,
      "assets": .array(assets.map(AssetListing.object)),
    ]
  }
}
