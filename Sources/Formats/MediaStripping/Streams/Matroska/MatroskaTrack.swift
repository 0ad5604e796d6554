import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// A track of a Matroska or WebM: its number and type, and its entry written anew.
///
/// Source: RFC 9559 section 5.1.4.
struct MatroskaTrack {
  /// The number by which blocks name the track.
  let number: Int
  /// The identifier by which tags name the track.
  let identifier: UInt64
  /// The entry in the source.
  let entry: EBMLElement

  private let kind: UInt64
  private let children: [EBMLElement]

  /// Reads number and type.
  ///
  /// - Throws: `damaged` for an entry without them.
  init(_ entry: EBMLElement, of source: ByteSource) throws(MetadataError) {
    children = try entry.children(of: source)
    guard
      let number = children.first(.trackNumber)?.unsigned(of: source).flatMap({ Int(exactly: $0) }),
      let kind = children.first(.trackType)?.unsigned(of: source), number > 0
    else { throw MetadataError(.damaged, "a track without number or type") }
    (self.number, self.kind, self.entry) = (number, kind, entry)
    identifier = children.first(.trackUID)?.unsigned(of: source) ?? 0
  }

  /// Whether the track is sound.
  var isAudio: Bool { kind == 2 }
  /// Whether the track is video.
  var isVideo: Bool { kind == 1 }
  /// Whether video and sound share the track.
  var isComplex: Bool { kind == 3 }

  /// Returns whether the frames are DV, which have sound in them.
  func isDV(in source: ByteSource) -> Bool {
    guard let start = children.first(.codecPrivate)?.data.lowerBound else { return false }
    switch children.first(.codecID)?.ascii(of: source) {
    case "V_MS/VFW/FOURCC":
      return source.code(at: start + 16).map { BitmapStreamFormat.dv.contains($0) } ?? false
    // A sample entry, with its length or without.
    case "V_QUICKTIME":
      return [4, 0].compactMap { source.code(at: start + $0) }
        .contains { $0 == "dvh1" || ISOVideoCodec.kinds[$0] == .dv }
    default: return false
    }
  }

  /// The name of the track when it is removed.
  var name: String {
    switch kind {
    case 1: "video track"
    case 2: RemovedMetadata.audioTrack
    case 17: "subtitle track"
    default: "other track"
    }
  }

  /// Returns the entry written anew, of video with the projection that tags state.
  ///
  /// - Throws: `stripUnsupported` for an unknown or encrypted codec; `damaged` for an entry that
  ///   does not follow its format.
  func written(
    of source: ByteSource,
    firstFrame: ByteSource?,
    parts: [EBMLElement]
  ) throws(MetadataError) -> Written {
    let sphere = isVideo ? SphericalVideo(ofTrack: identifier, parts, in: source) : nil
    return try Written(number, children, firstFrame, sphere, of: source)
  }

  /// An entry without what playback does not need.
  struct Written {
    /// The whole element.
    private(set) var bytes: [UInt8] = []
    /// The coding of the frames.
    private(set) var bitstream = Bitstream.plain
    /// Whether blocks may have the frames of an alpha channel beside them.
    private(set) var hasAlpha = false
    /// The range of the bytes that frames lack at their start and get back.
    private(set) var shared: Range<Int>?
    /// Whether the projection comes from a tag.
    private(set) var addsProjection = false
    /// The names of what was removed, and the first places.
    private(set) var removed: [(name: String, range: Range<Int>)] = []

    fileprivate init(
      _ number: Int,
      _ children: [EBMLElement],
      _ firstFrame: ByteSource?,
      _ sphere: SphericalVideo?,
      of source: ByteSource
    ) throws(MetadataError) {
      guard let list = MatroskaAllowList.lists[.trackEntry] else { return }
      var elements: [(index: Int, bytes: [UInt8])] = []
      var writer = MatroskaElementWriter(source)
      let codec = try Self.codec(children, firstFrame, of: source)
      (bitstream, hasAlpha) = (codec.bitstream, Self.hasAlpha(children, of: source))
      for child in writer.allowed(children, in: .trackEntry) {
        guard let type = child.type, let index = list.index(of: type) else { continue }
        var written: [UInt8]?
        switch type {
        case .trackUID:
          written = EBMLWriter.unsigned(.trackUID, UInt64(number))
          if child.unsigned(of: source) != UInt64(number) { writer.remove(type.name, child.range) }
        case .language:
          if child.ascii(of: source) != "und" { writer.remove(type.name, child.range) }
          continue
        case .codecPrivate:
          for name in codec.removed { writer.remove(name, child.data) }
          written = codec.privateData.map { EBMLWriter.element(.codecPrivate, $0) }
        case .contentEncodings:
          let bytes = try writer.headerStripping(child)
          // Frames whose units are read get these bytes back; those of sound are looked at as a whole.
          if bitstream == .plain || bitstream.sound != nil { written = bytes.element }
          if bitstream != .plain { shared = bytes.shared }
        case .blockAdditionMapping: written = writer.dolbyVision(child)
        case .video:
          let types = Set(EBMLElements(source, in: child.data).compactMap(\.type))
          let additions = sphere?.elements(beside: types) ?? []
          addsProjection = !additions.isEmpty
          written = try writer.written(child, in: .trackEntry, adding: additions)
        default: written = try writer.written(child, in: .trackEntry)
        }
        if let written { elements.append((index, written)) }
      }
      // Without a language the track would be English.
      if let index = list.index(of: .language) {
        elements.append((index, EBMLWriter.element(.language, Array("und".utf8))))
      }
      removed = writer.removed
      let body = elements.sorted { $0.index < $1.index }.flatMap(\.bytes)
      bytes = EBMLWriter.element(.trackEntry, body)
    }

    private static func codec(
      _ children: [EBMLElement],
      _ firstFrame: ByteSource?,
      of source: ByteSource
    ) throws(MetadataError) -> MatroskaCodec {
      guard let identifier = children.first(.codecID)?.ascii(of: source) else {
        throw MetadataError(.damaged, "a track without a codec")
      }
      let isDolbyVision = children.contains { child in
        child.type == .blockAdditionMapping
          && MatroskaElementWriter.dolbyVisionType(child, of: source) != nil
      }
      return try MatroskaCodec(
        identifier,
        children.first(.codecPrivate)?.data,
        isDolbyVision: isDolbyVision,
        firstFrame: firstFrame,
        of: source
      )
    }

    private static func hasAlpha(_ children: [EBMLElement], of source: ByteSource) -> Bool {
      let identifier = children.first(.codecID)?.ascii(of: source)
      guard identifier == "V_VP8" || identifier == "V_VP9", let video = children.first(.video)
      else { return false }
      let mode = EBMLElements(source, in: video.data).first { $0.type == .alphaMode }
      return mode?.unsigned(of: source) == 1
    }
  }
}
