import MediaContainers
import MediaMetadata
import MediaModel

/// Builds a HEIC or AVIF anew from the items that are needed to show it; no picture is decoded.
///
/// Kept: the primary item, what it is made from, its alpha plane; with `hdrGainMap` its gain map;
/// the properties that say how to decode and to show them; a sequence of pictures with its alpha.
/// Everything else goes: Exif, XMP, thumbnails, depth, mattes, other pictures, names, texts, the video
/// of a motion photo, bytes that no item refers to, and within coded data all units that no decoder
/// needs. What a clean aperture or an overlay hides is part of coded pictures and stays.
///
/// Content credentials that `except` keeps are the same bytes; that they no longer fit the file is what
/// they are for. What else it keeps stands in an Exif item and an XMP item of its own; a sequence without a picture
/// beside it has no place for them.
enum HEIFStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let kept = options.kept(of: HEIFMetadata.find(in: source))
    return try editList(of: source, options: options) { selection in
      var kept = kept
      // How much brighter says something only beside a gain map.
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

  /// The edit list of an output of whose primary item is said what `describe` gives.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    describe: (HEIFSelection) -> HEIFDescription
  ) throws(MetadataError) -> EditList {
    let container = try HEIFContainer(of: source)
    var removed = container.removed
    var filter = HEIFUnitFilter(source)
    var output = HEIFOutput(container: container)
    var meta: HEIFMeta?
    if let box = container.meta {
      let found = try HEIFMetaReader.read(box.body, of: source)
      let selection = try HEIFSelection(found, of: source, options: options)
      var planner = HEIFItemPlanner(source, found, selection)
      output.plan = try planner.plan(&filter)
      describe(selection).append(to: &output.plan)
      output.parts = planner.parts
      removed += found.others.map { "\(HEIFBox.name($0)) box" }
      removed += selection.removedNames(of: found, in: source)
      removed += planner.removed
      meta = found
    }
    if let moov = container.moov {
      let sequence = try HEIFSequence(moov, of: source, &filter)
      removed += sequence.removed
      if sequence.tracks.isEmpty { removed.append("moov box") } else { output.sequence = sequence }
    }
    if options.except.contains(.contentCredentials) {
      output.credentials = container.credentials
    } else if container.credentials != nil {
      removed.append(JPEGContentCredentials.name)
    }
    guard meta != nil || output.sequence != nil else {
      throw MetadataError(.damaged, "neither meta nor a sequence of pictures")
    }
    let samples = output.sequence?.tracks.flatMap { $0.table.samples.map(\.range) } ?? []
    if HEIFSlack.isThere(in: container, meta, samples: samples, of: source) {
      removed.append("unreferenced bytes")
    }
    var builder = EditListBuilder(sourceLength: source.length)
    try output.write(to: &builder, sourceLength: source.length)
    for name in removed { builder.remove(name) }
    for (name, count) in filter.removed.sorted(by: { $0.key < $1.key }) {
      builder.remove(name, count: count)
    }
    return builder.finish()
  }
}
