package import MediaCodecs
package import MediaContainers
package import MediaMetadata
package import MediaModel

/// Makes the edit list that removes a file's metadata without changing a pixel.
///
/// The allow-list names what an output may hold, never what it may not. Before the list is
/// returned, the same parser verifies the output.
package enum Stripper {
  /// Makes the edit list that makes the stripped original from `source`, with the names of what it
  /// removes.
  ///
  /// Pixels, the ICC profile's colors, orientation (2 to 8) and Adobe's color transform are kept,
  /// and what `options` except is written anew from its value; all other metadata and everything
  /// after the picture are removed. Bytes that a decoder reads stay as they are: data hidden within a JPEG's entropy-coded data or after the
  /// end of a PNG's zlib stream is not found.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - format: The format of its content.
  ///   - options: The values to keep.
  ///   - cache: Keeps what was read of coded pictures, for the decoder of thumbnails.
  /// - Returns: The verified list; copied ranges ascend, and adjacent ones are merged.
  /// - Throws: `stripUnsupported` for a format without an edit list, and for a part of unknown
  ///   meaning that may affect decoding; `damaged` for a file that does not follow its format;
  ///   `overLimit` for one of absurdly many parts, or an ICC profile of more than 4 MiB; `residue`
  ///   when verification finds something, which is an error in this module.
  package static func editList(
    of source: ByteSource,
    format: MediaFormat,
    options: StripOptions = StripOptions(),
    cache: PictureDataCache = PictureDataCache()
  ) throws(MetadataError) -> EditList {
    let container = try container(format)
    let options = options.applicable(to: format)
    if let container = container as? any CodedPictureStripper.Type {
      let list = try container.editList(of: source, options: options, cache: cache)
      let output = try ByteSource(applying: list, to: source)
      try container.verify(output: output, options: options, cache: cache)
      return list
    }
    let list = try container.editList(of: source, options: options)
    let output = try ByteSource(applying: list, to: source)
    try container.verify(output: output, options: options)
    return list
  }

  /// Returns the edit list that makes a video's output without audio from `source`; everything else
  /// stays as it is.
  ///
  /// - Throws: `stripUnsupported` for a container whose audio cannot be removed; `damaged`,
  ///   `overLimit` and `residue` as ``editList(of:format:options:cache:)``.
  package static func muteList(
    of source: ByteSource,
    format: MediaFormat
  ) throws(MetadataError) -> EditList {
    switch format {
    case .mp4, .mov, .threeGP: try MovieStripper.muteList(of: source)
    case .mkv, .webm: try MatroskaStripper.muteList(of: source)
    case .avi: try AVIStripper.muteList(of: source)
    default: throw MetadataError(.stripUnsupported, "its sound cannot be taken out")
    }
  }

  /// Returns the edit list that makes the stripped preview of a camera raw file from the file.
  ///
  /// - Throws: as ``editList(of:format:options:cache:)`` for the preview.
  package static func previewList(
    of source: ByteSource,
    _ preview: RawPreview,
    options: StripOptions = StripOptions()
  ) throws(MetadataError) -> EditList {
    var options = options
    options.except.subtract([.hdrGainMap, .contentCredentials])
    let picture = ByteSource(source, preview.range)
    var inner = EditListBuilder(sourceLength: picture.length, options: options)
    try JPEGStripper.strip(
      picture,
      try JPEGHeader(of: picture),
      orientation: preview.facts.orientation,
      kept: options.kept(of: preview.metadata),
      into: &inner
    )
    var builder = EditListBuilder(sourceLength: source.length, options: options)
    try builder.append(inner.finish(), movedBy: preview.range.lowerBound)
    builder.remove("camera raw data") {
      $0.addExif("camera raw data", in: 0..<source.length, of: source, isUsed: false)
    }
    let whole = builder.finish()
    let output = try ByteSource(applying: whole, to: source)
    try verify(output: output, format: .jpeg, options: options)
    return whole
  }

  /// Returns whether a DNG is stripped itself where a manifest asks for previews of camera raw files:
  /// one with an edit list, unless its raw picture is JPEG XL, which LibRaw 0.21 does not develop.
  ///
  /// A list that its verification refuses counts as one: that is an error here, and has to be seen.
  package static func strips(dng source: ByteSource, _ options: StripOptions) -> Bool {
    do throws(MetadataError) {
      let file = try DNGFile(of: source)
      let isJPEGXL = ([file.image] + file.pictures).contains { directory in
        DNGKind(directory) == .raw && directory.number(TIFFTag.compression) == DNGAllowList.jpegXL
      }
      if isJPEGXL { return false }
      _ = try editList(of: source, format: .dng, options: options)
      return true
    } catch {
      return error.code == .residue
    }
  }

  /// Verifies an output: parses it and compares each of its parts with the allow-list.
  ///
  /// A part that holds kept values is read, limited to what `options` except and written again:
  /// only identical bytes pass.
  ///
  /// - Throws: `residue` naming the first part that should not be there; `damaged` when the output
  ///   is no file of that format; `stripUnsupported` for a format without an allow-list.
  package static func verify(
    output: ByteSource,
    format: MediaFormat,
    options: StripOptions = StripOptions()
  ) throws(MetadataError) {
    try container(format).verify(output: output, options: options.applicable(to: format))
  }

  /// Returns the operations of a format.
  ///
  /// - Throws: `stripUnsupported` for a format that is not parsed.
  static func container(
    _ format: MediaFormat
  ) throws(MetadataError) -> any ContainerStripper.Type {
    guard let container = containers[format] else {
      let reason = refusals[format] ?? "\(format.rawValue) files are not stripped yet"
      throw MetadataError(.stripUnsupported, reason)
    }
    return container
  }
}

extension StripOptions {
  /// Returns the options without those that files of this format have no place for.
  ///
  /// Apple's maker note with the numbers of a gain map says nothing without a gain map.
  func applicable(to format: MediaFormat) -> StripOptions {
    var options = self
    if ![.jpeg, .heic, .avif].contains(format) { options.except.remove(.hdrGainMap) }
    return options
  }
}
