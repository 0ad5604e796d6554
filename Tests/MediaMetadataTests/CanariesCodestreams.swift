import MediaModel
import MediaTestSupport

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A JPEG 2000 codestream of 6 x 4 gray pixels, as parts; its coded data are no picture.
enum TinyJ2K {
  static let data = (0..<24).map { UInt8($0) }
  private static let sides = big(6) + big(4) + big(0) + big(0)
  static let size = segment(0x51, [0, 0] + sides + sides + [0, 1, 7, 1, 1])
  static let coding = segment(0x52, [0, 0, 0, 1, 0, 0, 4, 4, 0, 1])
  static let quantization = segment(0x5C, [0x40, 0x40])

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(2 + content.count, 2) + content
  }

  /// A tile-part; `length` is what its SOT states.
  static func tile(_ header: [UInt8] = [], length: Int? = nil, number: UInt8 = 0) -> [UInt8] {
    let total = 12 + header.count + 2 + data.count
    return [0xFF, 0x90, 0, 10, 0, 0] + big(length ?? total) + [number, 2] + header + [0xFF, 0x93]
      + data
  }

  static func file(
    _ header: [UInt8] = [],
    tiles: [UInt8] = tile() + tile(number: 1),
    after: [UInt8] = []
  ) -> [UInt8] {
    [0xFF, 0x4F] + size + coding + quantization + header + tiles + [0xFF, 0xD9] + after
  }
}

/// Boxes of JPEG 2000 files.
enum TinyJP2 {
  static let header = isoBox("ihdr", big(4) + big(6) + [0, 1, 7, 7, 0, 0])
  static let gray = isoBox("colr", [1, 0, 0] + big(17))

  static func file(
    _ before: [UInt8] = [],
    brands: [UInt8] = [],
    color: [UInt8] = gray,
    codestream: [UInt8] = TinyJ2K.file(),
    after: [UInt8] = []
  ) -> [UInt8] {
    JP2Header.signature + isoBox("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8) + brands)
      + isoBox("jp2h", header + color) + before + isoBox("jp2c", codestream) + after
  }
}

/// JPEG XL files, made with cjxl 0.7 (`plain`, `profiled`) and with its library.
enum TinyJXL {
  /// 8 x 8 pixels, lossy: `cjxl -d 1` of a gradient.
  static let plain = bytes(
    "ff0a41f09350b9b78a2000128802002c015de5120000152aa38c1bbc9cebf9f24387c5b48deb0c6db56d6149a2c8383649277048122bc0c60d6086810c660e8fd13155a24a120989bc9d5f6a80886c1bfd0027003a7101bacc01ef05"
  )
  /// 6 x 4 pixels with a profile of 564 bytes, whose text names its maker: `cjxl -d 0`.
  static let profiled = bytes(
    "ff0a184010c229c3801910080008102c9d075e0172e91e0a49e675f6acaadb4c71a1da6e7e4a865f0fc2e51c54baa11d946681865fe643103a1db3189b09b6bb09ba7b08beb351a6574a6034daaac1b38d46237812ff025771c06f21e120d2542e3cb9e6e92170d0084e9861285c6d09be25761d0fbe5fd89889d76624052b15c8dc1105d45a98bca39ae68d73388be0e78743f8209a06042406f35440461116f420be70000802010074004b18938e8383849304cc0388000000402a900aa402fb8352a014280500"
  )
  /// 16 x 8 pixels with alpha; the channel and the frame have names.
  static let named = bytes(
    "ff0ac12d3000d550985398541ec89b1948981b48191e9d5c18c8185a989b5b191b130808d03014e614269507f26606622617d6560602030044014b2831dd7ca379f856d851505050428111a8ed7831e8902ec5e8188347c6e034eae818a3638c3c8078e7200120942204e2bf80f9dfd7f21fdbf61f407860bd19c0693cf007efffffffff0ff44f07005e04"
  )
  /// Three such frames with timecodes.
  static let animated = bytes(
    "ff0ac12d4d006200aaa130a730a93c90373390303790323c3ab9309031b43037b73236260808e000100c08040c43614e615279206f66206672616d652030000044014b2831dd7ca379f856d851505050428111a8ed7831e8902ec5e8188347c6e034eae818a3638c3c8078e7200120942204e2bf80f9dfd7f21fdbf61f407860bd19c0693cf007efffffffff0ff44f07005e040808e040100c08040c43614e615279206f66206672616d652031000054014b2825d6e11e5241414249310248af62748cc12363701615c2a8d848d4520c62e40144e18001001238bc16a40fcaf00c622cce3fb4ef3f8dce3bd3bdc8fd1ddb04e0140740c30750690340b0fe000000100a0000e00808e080100c0844c350985398541ec89b1988995c585b19880c0054014b2825d6e11e5241414249310248af62748cc12363701615c2a8d848d4520c0679005140600060040e5e0bd607e570063116e71fdaf79f46e79de95eecfe1ddb04e0140740c30750690340b0fe000000100a0080d2"
  )

  static func file(
    _ before: [UInt8] = [],
    brands: [UInt8] = [],
    codestream: [UInt8] = isoBox("jxlc", plain),
    after: [UInt8] = []
  ) -> [UInt8] {
    JXLHeader.signature + isoBox("ftyp", Array("jxl \0\0\0\0jxl ".utf8) + brands) + before
      + codestream + after
  }

  /// The codestream in two boxes, the second with `after` behind its end.
  static func pieces(after: [UInt8] = []) -> [UInt8] {
    isoBox("jxlp", [0, 0, 0, 0] + plain.prefix(9))
      + isoBox("jxlp", [0x80, 0, 0, 1] + plain.dropFirst(9) + after)
  }

  /// ``plain`` with a preview, which is its own frame.
  static func withPreview() throws -> [UInt8] {
    let frame = try withSource(plain) { source in
      let codestream = try JXLCodestream(of: source)
      return Array(plain[codestream.start.upperBound...])
    }
    var bits = withSource([]) { JXLBits($0, from: 0) }
    // The signature; 8 pixels high, as wide; not all default, further fields.
    for (value, count) in [(0x0AFF, 16), (1, 1), (0, 5), (1, 3), (0, 1), (1, 1)] {
      bits.write(value, count)
    }
    // Orientation, no intrinsic size; a preview of 8 x 8; no animation.
    for (value, count) in [(0, 3), (0, 1), (1, 1), (1, 1), (2, 2), (0, 5), (1, 3), (0, 1)] {
      bits.write(value, count)
    }
    // 8 bits, short buffers, no extra channels, XYB, sRGB, brightness, extensions, transform.
    for (value, count) in [
      (0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (1, 1), (1, 1), (0, 2), (1, 1),
    ] { bits.write(value, count) }
    return bits.written + frame + frame
  }

  /// A codestream of frames, as wide as high, 8 to 1,073,741,824 pixels.
  static func codestream(side: Int = 8, _ frames: [UInt8]) -> [UInt8] {
    let sides = [(3, 2), (side - 1, 30)]
    // No small size, and no ratio; all else is default.
    return bytes([(0x0AFF, 16), (0, 1)] + sides + [(0, 3)] + sides + [(1, 1), (1, 1)]) + frames
  }

  /// A frame of one section, of modular data that are no picture. The kind is 0 for a regular one, and 3
  /// for one that is not shown in steps; the order of sections is given as bits.
  static func frame(
    kind: Int,
    isLast: Bool,
    order: [(Int, Int)]? = nil,
    data: [UInt8] = [1, 2, 3]
  ) -> [UInt8] {
    // Flags, upsampling, group size, one pass, the whole picture, replacing.
    let fields = [(0, 1), (kind, 2), (1, 1), (0, 2), (0, 2), (1, 2), (0, 2), (0, 1), (0, 2)]
    // Only a frame that is not the last can be referred to, before or after its colors are converted.
    let uses = isLast ? [(1, 1)] : [(0, 1), (0, 2), (0, 1)]
    // No name, the default filter, no extensions.
    let remaining = [(0, 2), (1, 1), (0, 2)]
    return bytes(fields + uses + remaining + [(order == nil ? 0 : 1, 1)] + (order ?? []))
      + bytes([(0, 2), (data.count, 10)]) + data
  }

  /// The bits of numbers, each with its width, up to the next byte.
  private static func bytes(_ numbers: [(Int, Int)]) -> [UInt8] {
    var bits = withSource([]) { JXLBits($0, from: 0) }
    for (value, count) in numbers { bits.write(value, count) }
    return bits.written
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
  }
}

extension CanariesContainers {
  private static let text = Canaries.ascii

  static let codestreams = j2k + jp2 + jxl

  private static let j2k: [CanarySlot] = {
    func slot(_ name: String, _ bytes: [UInt8]) -> CanarySlot {
      CanarySlot(description: "J2K \(name)", format: .j2k, bytes: bytes, clean: TinyJ2K.file())
    }
    let markers: [(String, UInt8)] = [
      ("COM", 0x64), ("TLM", 0x55), ("PLM", 0x57), ("PLT", 0x58), ("CPF", 0x59),
    ]
    return markers.flatMap { name, marker in
      let segment = TinyJ2K.segment(marker, text)
      return [
        slot("\(name) of the file", TinyJ2K.file(segment)),
        slot("\(name) of a tile", TinyJ2K.file(tiles: TinyJ2K.tile(segment) + TinyJ2K.tile(number: 1))),
        slot(
          "\(name) of the last tile",
          TinyJ2K.file(tiles: TinyJ2K.tile() + TinyJ2K.tile(segment, number: 1))
        ),
      ]
    } + [
      slot("trailer", TinyJ2K.file(after: text)),
      slot(
        "trailer behind an open length",
        TinyJ2K.file(tiles: TinyJ2K.tile() + TinyJ2K.tile(length: 0, number: 1), after: text)
      ),
    ]
  }()

  private static let jp2: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyJP2.file()) {
      slots.append(CanarySlot(description: "JP2 \(name)", format: .jp2, bytes: bytes, clean: clean))
    }
    let types = [
      "uuid", "xml ", "jp2i", "uinf", "asoc", "nlst", "lbl ", "url ", "free", "rreq", "zzzz",
      "mdat",
    ]
    for type in types {
      add(type, TinyJP2.file(isoBox(type, text)))
      add("\(type) behind the picture", TinyJP2.file(after: isoBox(type, text)))
    }
    for identifier in [JP2Metadata.exif, JP2Metadata.xmp, JP2Metadata.iptc] {
      add("uuid known by \(identifier[0])", TinyJP2.file(isoBox("uuid", identifier + text)))
    }
    add("second codestream", TinyJP2.file(after: isoBox("jp2c", text)))
    for type in ["res ", "lbl ", "zzzz"] {
      add("\(type)of the header", TinyJP2.file(color: TinyJP2.gray + isoBox(type, text)))
    }
    add("second color", TinyJP2.file(color: TinyJP2.gray + isoBox("colr", [9, 0, 0] + text)))
    add("profile that is none", TinyJP2.file(color: isoBox("colr", [2, 0, 0] + text)))
    if let clean = ICCProfile.cleaned(TinyICC.profile()) {
      let tagged = TinyICC.profile(TinyICC.colors + [.text("desc", Canaries.all.joined())])
      func color(_ profile: [UInt8]) -> [UInt8] { isoBox("colr", [2, 0, 0] + profile) }
      add("profile", TinyJP2.file(color: color(tagged)), clean: TinyJP2.file(color: color(clean)))
    }
    add("brands", TinyJP2.file(brands: text))
    add("COM", TinyJP2.file(codestream: TinyJ2K.file(TinyJ2K.segment(0x64, text))))
    add("trailer within jp2c", TinyJP2.file(codestream: TinyJ2K.file(after: text)))
    add("trailer", TinyJP2.file(after: text))
    return slots
  }()

  private static let jxl: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyJXL.file()) {
      slots.append(CanarySlot(description: "JXL \(name)", format: .jxl, bytes: bytes, clean: clean))
    }
    add("trailer alone", TinyJXL.plain + text, clean: TinyJXL.plain)
    for type in ["Exif", "xml ", "jumb", "brob", "jbrd", "jxli", "jxll", "uuid", "free", "zzzz"] {
      add(type, TinyJXL.file(isoBox(type, text)))
      add("\(type) behind the picture", TinyJXL.file(after: isoBox(type, text)))
    }
    add("brands", TinyJXL.file(brands: text))
    add("trailer within jxlc", TinyJXL.file(codestream: isoBox("jxlc", TinyJXL.plain + text)))
    add("trailer within jxlp", TinyJXL.file(codestream: TinyJXL.pieces(after: text)))
    add("trailer", TinyJXL.file(after: text))
    return slots
  }()
}
