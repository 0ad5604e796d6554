import MediaContainers
import MediaMetadata
import MediaModel

/// Builds a HEIC or AVIF anew from the items that are needed to show it; no picture is decoded.
///
/// The primary item, the items that it is derived from, and its alpha plane are kept; with
/// `hdrGainMap` its gain map; the properties that decoding and rendering need; and an image
/// sequence with its alpha. Everything else is removed: Exif, XMP, thumbnails, depth, mattes, other
/// pictures, names, texts, the video of a motion photo, bytes that no item refers to, and within
/// coded data all units that no decoder needs. Areas that a clean aperture or an overlay hides are
/// part of coded pictures and are kept.
///
/// Content credentials that `except` keeps are copied unchanged; it is their purpose to show that
/// the file was changed. Other kept values are written as an Exif item and an XMP item; an image
/// sequence without a picture has no items to hold them.
enum HEIFStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let options = builder.options
    try strip(source, into: &builder) { selection in
      var kept = options.kept(of: HEIFMetadata.self, in: source)
      // The headroom of the gain map means nothing without the gain map.
      if selection.gainMap == nil { kept.brightness = nil }
      return HEIFDescription(kept)
    }
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try HEIFVerification.verify(output, options: options)
  }

  /// Strips a file whose output has a primary item that `describe` describes.
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder,
    describe: (HEIFSelection) -> HEIFDescription
  ) throws(MetadataError) {
    let container = try HEIFContainer(of: source)
    var picture: (meta: HEIFMeta, selection: HEIFSelection)?
    let isPlain = hasNoItem(container, of: source)
    if let box = container.meta, !isPlain {
      let meta = try HEIFMetaReader.read(box.body, of: source)
      picture = (meta, try HEIFSelection(meta, of: source, options: builder.options))
    }
    guard builder.edits else {
      return try list(container, picture, of: source, into: &builder.listing)
    }
    var removed = container.removed
    if isPlain { removed.append("meta box") }
    var filter = HEIFUnitFilter(source)
    var output = HEIFOutput(container: container)
    if let (meta, selection) = picture {
      var planner = HEIFItemPlanner(source, meta, selection)
      output.plan = try planner.plan(&filter)
      describe(selection).append(to: &output.plan)
      output.parts = planner.parts
      removed += meta.removedBoxes.map { "\($0.type.displayName) box" }
      removed += selection.removedNames(of: meta, in: source)
      removed += planner.removed
    }
    if let moov = container.moov {
      let sequence = try HEIFSequence(moov, of: source, &filter)
      removed += sequence.removed
      if sequence.tracks.isEmpty { removed.append("moov box") } else { output.sequence = sequence }
    }
    if builder.options.except.contains(.contentCredentials) {
      output.credentials = container.credentials
    } else if container.credentials != nil {
      removed.append(JPEGContentCredentials.name)
    }
    guard picture != nil || output.sequence != nil else {
      throw MetadataError(.damaged, "neither meta nor a sequence of pictures")
    }
    output.patches = filter.patches
    let samples = output.sequence?.tracks.flatMap { $0.samples.map(\.range) } ?? []
    if HEIFSlack.isThere(in: container, picture?.meta, samples: samples, of: source) {
      removed.append("unreferenced bytes")
    }
    try output.write(to: &builder, sourceLength: source.length)
    for name in removed { builder.note(name) }
    for (name, count) in filter.removed.sorted(by: { $0.key < $1.key }) {
      builder.note(name, count: count)
    }
    try? list(container, picture, of: source, into: &builder.listing)
  }

  /// Whether a sequence has a meta box with no primary item: readers show the sequence.
  private static func hasNoItem(_ container: HEIFContainer, of source: ByteSource) -> Bool {
    guard container.moov != nil, let box = container.meta else { return false }
    let meta = HEIFMetaReader.readLeniently(box.body, of: source)
    return meta.item(meta.primary) == nil
  }
}
