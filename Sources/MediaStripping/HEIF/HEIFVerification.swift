import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped HEIC or AVIF: compares its boxes with the allow-list, and checks that
/// stripping it again would change no byte.
enum HEIFVerification {
  /// The allowed children of each box; a type without an entry has none.
  private static let children: [FourCharacterCode: Set<FourCharacterCode>] = [
    "meta": ["hdlr", "pitm", "iinf", "iref", "iprp", "grpl", "idat", "iloc"],
    "iinf": ["infe"],
    "iref": ["dimg", "auxl", "prem", "cdsc"],
    "iprp": ["ipco", "ipma"],
    "ipco": [
      "ispe", "colr", "pixi", "hvcC", "avcC", "av1C", "irot", "imir", "clap", "pasp", "iscl",
      "auxC", "clli", "mdcv", "amve", "a1op", "a1lx", "lsel",
    ],
    "grpl": ["altr"],
    "moov": ["mvhd", "trak"],
    "trak": ["tkhd", "tref", "edts", "mdia"],
    "tref": ["auxl", "prem"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf"],
    "minf": ["vmhd", "dinf", "stbl"],
    "dinf": ["dref"],
    "dref": ["url "],
    "stbl": ["stsd", "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stco", "co64"],
    "stsd": MovieSampleEntry.pictureTypes,
  ]
  /// The number of bytes in a box ahead of its children.
  private static let heads: [FourCharacterCode: Int] = [
    "meta": 4, "iinf": 6, "iref": 4, "dref": 8, "stsd": 8,
  ]
  private static let layouts: [[FourCharacterCode]] = [
    ["ftyp", "meta", "mdat"], ["ftyp", "meta", "moov", "mdat"], ["ftyp", "moov", "mdat"],
  ]

  /// Verifies the boxes and the coded data of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no such file.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let all = try ISOBox.children(of: "file", in: 0..<output.length, of: output, isStrict: true)
    let keepsCredentials = options.except.contains(.contentCredentials)
    let top = all.filter { box in
      !keepsCredentials || box.type != "uuid"
        || !output.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound)
    }
    guard top.count >= all.count - 1, layouts.contains(top.map(\.type)) else {
      throw MetadataError(.residue, "another box beside ftyp, meta, moov and mdat")
    }
    for box in top { try look(at: box, of: output) }
    var description = HEIFDescription()
    if let box = top.first(where: { $0.type == "meta" }) {
      let meta = try HEIFMetaReader.read(box.body, of: output)
      description = try HEIFDescription.checked(of: output, meta, options: options)
    }
    let again = try HEIFStripper.editList(of: output, options: options) { _ in description }
    try compare(try ByteSource(applying: again, to: output), with: output, again)
  }

  private static func look(
    at box: ISOBox,
    of output: ByteSource
  ) throws(MetadataError) {
    let isEntry = MovieSampleEntry.pictureTypes.contains(box.type)
    guard let allowed = isEntry ? MovieEntryBoxes.pictureTypes : children[box.type] else { return }
    let name = box.type.displayName
    let body = box.body.dropFirst(isEntry ? MovieSampleEntry.videoHeadLength : heads[box.type] ?? 0)
    for child in try ISOBox.children(of: name, in: body, of: output, isStrict: true) {
      guard allowed.contains(child.type) else {
        throw MetadataError(.residue, "\(child.type.displayName) in \(name)")
      }
      try look(at: child, of: output)
    }
  }

  /// Checks that the bytes to be written anew are the same again, and that the copied ranges are
  /// complete.
  private static func compare(
    _ again: ByteSource,
    with output: ByteSource,
    _ list: EditList
  ) throws(MetadataError) {
    guard again.length == output.length else {
      throw MetadataError(.residue, list.removed.first?.name ?? "bytes that nothing needs")
    }
    var position = 0
    for operation in list.operations {
      switch operation {
      case .copy(let offset, let length):
        guard offset == UInt64(position) else {
          throw MetadataError(.residue, "coded data out of place")
        }
        position += Int(length)
      case .literal(let bytes):
        guard output.holds(bytes, at: position) else {
          throw MetadataError(.residue, list.removed.first?.name ?? "a box that is not canonical")
        }
        position += bytes.count
      }
    }
  }
}
