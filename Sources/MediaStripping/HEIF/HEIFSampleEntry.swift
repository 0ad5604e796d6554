import MediaContainers

/// The sample entry of a track of pictures, written anew.
///
/// Source: ISO/IEC 14496-12 section 12.1.3 (VisualSampleEntry); ISO/IEC 23008-12 sections 7.2.3
/// (ccst) and 7.5.3.2 (auxi); ISO/IEC 14496-15; AV1 in ISOBMFF section 2.2.
struct HEIFSampleEntry {
  /// The whole box.
  var box: [UInt8]
  var bitstream: Bitstream
  /// The purpose of the pictures, if the track is auxiliary.
  var auxiliary: HEIFAuxiliary?
  /// The names of what was removed from the entry.
  var removed: [String] = []

  static let types: Set<FourCharacterCode> = ["hvc1", "hev1", "av01", "avc1", "avc3"]
  /// The number of bytes ahead of the boxes.
  static let headLength = 78

  /// Reads a sample entry.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec; `damaged` without a configuration.
  init(_ entry: ISOBox, of source: ByteSource) throws(MetadataError) {
    let name = entry.type.displayName
    guard Self.types.contains(entry.type) else {
      throw MetadataError(.stripUnsupported, "track of type \(name)")
    }
    var fields = ISOFields(source, entry.body, name)
    _ = try fields.number(6)
    guard try fields.number(2) == 1 else {
      throw MetadataError(.stripUnsupported, "samples in another file")
    }
    _ = try fields.bytes(16)
    let size = try fields.bytes(4)
    _ = try fields.bytes(50)
    // 72 dots per inch, one picture per sample, no compressor name, 24 bits.
    var body = [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16) + size
    body += [0, 0x48, 0, 0, 0, 0x48, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 32)
    body += [0, 0x18, 0xFF, 0xFF]
    var bitstream: Bitstream?
    for box in try ISOBox.children(of: name, in: fields.range, of: source, isStrict: true) {
      switch box.type {
      case "ccst":
        var ccst = ISOFields(source, box.body, "ccst")
        _ = try ccst.number(4)
        // The reserved bits are zero.
        body += ISOWriter.full("ccst", ISOWriter.uint32(try ccst.number(4) & 0xFC00_0000))
      case "auxi":
        let urn = HEIFAuxiliary.urn(in: box.body, of: source)
        let found = HEIFAuxiliary(urn: urn)
        auxiliary = found
        if case .other = found { continue }
        body += ISOWriter.full("auxi", urn + [0])
      case "colr", "pasp", "clap", "clli", "mdcv", "amve", "hvcC", "avcC", "av1C":
        switch try HEIFProperty.judge(box, in: source) {
        case .kept(let bytes): body += bytes
        case .removed(let name): removed.append(name)
        case .unknown: removed.append(box.type.displayName)
        }
        if HEIFDecoderConfiguration.types.contains(box.type) {
          guard bitstream == nil else { throw MetadataError(.damaged, "two configurations") }
          let configuration = try HEIFDecoderConfiguration(box, of: source)
          bitstream = configuration.bitstream
          removed += configuration.removed
        }
      default: removed.append("\(box.type.displayName) of a track")
      }
    }
    guard let bitstream else { throw MetadataError(.damaged, "\(name) without its configuration") }
    self.bitstream = bitstream
    self.box = ISOWriter.box(entry.type, body)
  }
}
