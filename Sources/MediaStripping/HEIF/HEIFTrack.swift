import MediaContainers

/// A track of pictures, or of their alpha planes.
///
/// Source: ISO/IEC 14496-12 section 8.3 to 8.6; ISO/IEC 23008-12 section 7.
struct HEIFTrack {
  var identifier: Int
  var handler: FourCharacterCode
  /// The purpose of its pictures, if the handler is auxv.
  var auxiliary: HEIFAuxiliary?
  /// The IDs of the tracks that it refers to, by reference type.
  var references: [(type: FourCharacterCode, to: [Int])] = []
  var entries: [HEIFSampleEntry] = []
  var table: HEIFSampleTable

  /// The fields of tkhd without the track ID.
  private(set) var header: Header
  /// The whole mdhd box.
  private(set) var mediaHeader: [UInt8]
  /// The whole edts box, or nothing.
  private(set) var edits: [UInt8]
  private(set) var removed: [String] = []

  struct Header {
    var flags: Int
    /// The duration: 4 bytes in version 0, 8 in version 1.
    var duration: [UInt8]
    /// Layer, group, volume, matrix, width, height.
    var rest: [UInt8]

    func box(identifier: Int) -> [UInt8] {
      let times = [UInt8](repeating: 0, count: duration.count * 2)
      return ISOWriter.full(
        "tkhd",
        version: duration.count == 8 ? 1 : 0,
        flags: flags,
        times + ISOWriter.uint32(identifier) + [0, 0, 0, 0] + duration + rest
      )
    }
  }

  /// Returns the handler type of a track, or nil when it has none.
  static func handler(
    of trak: ISOBox,
    in source: ByteSource
  ) -> FourCharacterCode? {
    ISOBoxes.body(at: ["mdia", "hdlr"], in: trak.body, of: source)
      .flatMap { source.code(at: $0.lowerBound + 8) }
  }

  init(
    _ trak: ISOBox,
    _ handler: FourCharacterCode,
    of source: ByteSource
  ) throws(MetadataError) {
    self.handler = handler
    let boxes = try trak.children(in: source, isStrict: true)
    let mdia = try Self.children(of: "mdia", among: boxes, source)
    let minf = try Self.children(of: "minf", among: mdia, source)
    let stbl = try Self.children(of: "stbl", among: minf, source)
    (identifier, header) = try Self.header(boxes, source)
    mediaHeader = try Self.mediaHeader(mdia, source)
    edits = try Self.edits(boxes, source)
    try Self.checkOwnData(minf, source)
    table = try HEIFSampleTable(stbl, of: source)
    guard let stsd = try stbl.only("stsd"), stsd.body.count >= 8 else {
      throw MetadataError(.damaged, "a track without stsd")
    }
    for box in try stsd.children(in: source, after: 8, isStrict: true) {
      let entry = try HEIFSampleEntry(box, of: source)
      auxiliary = auxiliary ?? entry.auxiliary
      removed += entry.removed
      entries.append(entry)
    }
    for sample in table.samples
    where sample.description < 1 || sample.description > entries.count {
      throw MetadataError(.damaged, "a sample without its description")
    }
    if let tref = try boxes.only("tref") {
      for box in try tref.children(in: source, isStrict: true) {
        var fields = ISOFields(source, box.body, "tref")
        var to: [Int] = []
        while fields.left >= 4 { to.append(try fields.number(4)) }
        references.append((box.type, to))
      }
    }
    let known: Set<FourCharacterCode> = [
      "tkhd", "mdia", "edts", "tref", "mdhd", "hdlr", "minf", "vmhd", "nmhd", "dinf", "stbl",
      "stsd",
      "stts", "ctts", "cslg", "stss", "stsz", "stz2", "stsc", "stco", "co64",
    ]
    for box in boxes + mdia + minf + stbl where !known.contains(box.type) {
      removed.append("\(box.type.displayName) of a track")
    }
  }

  private static func children(
    of type: FourCharacterCode,
    among boxes: [ISOBox],
    _ source: ByteSource
  ) throws(MetadataError) -> [ISOBox] {
    let name = type.displayName
    guard let box = try boxes.only(type) else {
      throw MetadataError(.damaged, "a track without \(name)")
    }
    return try box.children(in: source, isStrict: true)
  }

  private static func header(
    _ boxes: [ISOBox],
    _ source: ByteSource
  ) throws(MetadataError) -> (Int, Header) {
    guard let tkhd = try boxes.only("tkhd") else {
      throw MetadataError(.damaged, "a track without tkhd")
    }
    var fields = ISOFields(source, tkhd.body, "tkhd")
    let head = try fields.number(4)
    let size = head >> 24 == 1 ? 8 : 4
    _ = try fields.bytes(2 * size)
    let identifier = try fields.number(4)
    _ = try fields.number(4)
    let duration = try fields.bytes(size)
    _ = try fields.bytes(8)
    let order = try fields.bytes(4)
    // The volume of a track of pictures is zero.
    _ = try fields.bytes(4)
    let shape = try fields.bytes(44)
    let rest = [UInt8](repeating: 0, count: 8) + order + [0, 0, 0, 0] + shape
    return (identifier, Header(flags: head & 0xF, duration: duration, rest: rest))
  }

  private static func mediaHeader(
    _ boxes: [ISOBox],
    _ source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    guard let mdhd = try boxes.only("mdhd") else {
      throw MetadataError(.damaged, "a track without mdhd")
    }
    var fields = ISOFields(source, mdhd.body, "mdhd")
    let version = try fields.number(4) >> 24
    let size = version == 1 ? 8 : 4
    _ = try fields.bytes(2 * size)
    let length = try fields.bytes(4 + size)
    // The language is undetermined.
    return ISOWriter.full(
      "mdhd",
      version: size == 8 ? 1 : 0,
      [UInt8](repeating: 0, count: 2 * size) + length + [0x55, 0xC4, 0, 0]
    )
  }

  /// Returns an edts box with the edit list, which controls how often the sequence is repeated.
  private static func edits(
    _ boxes: [ISOBox],
    _ source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    guard let edts = try boxes.only("edts") else { return [] }
    let children = try edts.children(in: source, isStrict: true)
    guard let elst = try children.only("elst") else { return [] }
    var fields = ISOFields(source, elst.body, "elst")
    let head = try fields.number(4)
    let version = UInt8(head >> 24 == 1 ? 1 : 0)
    let count = try fields.number(4)
    guard count <= 1024 else { throw MetadataError(.overLimit, "too many edits") }
    let entries = try fields.bytes(count * (version == 1 ? 20 : 12))
    return ISOWriter.box(
      "edts",
      ISOWriter.full("elst", version: version, flags: head & 1, ISOWriter.uint32(count) + entries)
    )
  }

  /// Checks that the samples are in this file.
  private static func checkOwnData(
    _ minf: [ISOBox],
    _ source: ByteSource
  ) throws(MetadataError) {
    guard let dinf = try minf.only("dinf"),
      let dref = ISOBoxes.first("dref", in: dinf.body, of: source), dref.body.count >= 8,
      let entry = ISOBoxes(source, in: dref.body.dropFirst(8)).first(where: { _ in true }),
      source.uint32(at: entry.body.lowerBound).map({ $0 & 1 }) == 1
    else { throw MetadataError(.stripUnsupported, "samples in another file") }
  }
}
