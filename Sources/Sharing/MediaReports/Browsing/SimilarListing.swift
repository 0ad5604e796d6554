internal import MediaLibrary
package import MediaModel
internal import MediaSyntax

/// Writes groups of pictures that look alike, one after the other.
package struct SimilarListing {
  private var frame: ListingFrame
  private var count = 0

  /// Writes what comes before the first group.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - library: The library's path as it was given, before which paths stand.
  ///   - sink: Where to.
  package init(_ format: ListingFormat, library: [UInt8], to sink: ReportSink) {
    frame = ListingFrame(
      of: "groups",
      format,
      library: library,
      to: sink,
      table: Self.line(["group", "kind", "bits", "pixels", "badges", "label", "identifier"]),
      csv: [
        "group", "kind", "distance", "localIdentifier", "format", "pixelWidth", "pixelHeight",
        "label", "path", "turn",
      ]
    )
  }

  /// Writes a group.
  ///
  /// - Parameters:
  ///   - assets: The assets, the best first, each with the bits in which it differs from that one, and how it is
  ///     turned against it.
  ///   - isExact: Whether none differs or is turned.
  package mutating func add(
    _ assets: [(asset: ListedAsset, distance: Int, turn: PictureTurn?)],
    isExact: Bool
  ) {
    count += 1
    let (number, kind) = ("\(count)", isExact ? "exact" : "near")
    frame.add(
      frame.form.entry(
        table: {
          assets.map { asset, distance, turn in
            Self.line([
              number, kind, "\(distance)",
              asset.facts.pixelSize.map { "\($0.width)x\($0.height)" } ?? "",
              ([turn?.text].compactMap(\.self) + AssetListing.badges(asset)).joined(separator: " "),
              ReportText.line(asset.label),
              asset.localIdentifier,
            ])
          }
        },
        csv: {
          assets.map { asset, distance, turn in
            [
              number, kind, "\(distance)", asset.localIdentifier, asset.files.first?.format ?? "",
              asset.facts.pixelSize.map { "\($0.width)" } ?? "",
              asset.facts.pixelSize.map { "\($0.height)" } ?? "", asset.label,
              asset.files.first?.path ?? "", turn?.text ?? "",
            ]
          }
        },
        object: {
          [
            "kind": .string(kind), "best": JSONValue(assets.first?.asset.localIdentifier),
            "distances": .array(assets.map { JSONValue($0.distance) }),
            "turns": .array(assets.map { JSONValue($0.turn?.text) }),
            "assets": .array(assets.map { AssetListing.object($0.asset) }),
          ]
        },
        paths: { assets.flatMap { $0.asset.files.map(\.path) } },
        assets: { assets.map(\.asset) }
      )
    )
  }

  /// Writes what comes behind the last group.
  ///
  /// - Throws: The first error of writing.
  package mutating func finish() throws { try frame.finish(schema: "mediabatch.similar/1") }

  private static let widths = [5, 5, 4, 11, 20, 32, 0]

  private static func line(_ cells: [String]) -> String {
    TextLayout.row(cells, widths)
  }
}
