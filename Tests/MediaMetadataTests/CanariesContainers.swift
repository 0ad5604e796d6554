import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Files with all canaries in one place where metadata hide.
struct CanarySlot: CustomStringConvertible, Sendable {
  var description: String
  var format: MediaFormat
  var bytes: [UInt8]
  /// The same file without it, stripped.
  var clean: [UInt8]
  /// Whether `except` may keep what stands there.
  var mayBeKept = false
}

enum CanariesContainers {
  private static let text = Canaries.ascii
  static let slots = png + gif + webp + bmp + tiff + codestreams

  // MARK: PNG

  private static let png: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyPNG.file(), kept: Bool = false) {
      slots.append(
        CanarySlot(description: "PNG \(name)", format: .png, bytes: bytes, clean: clean, mayBeKept: kept)
      )
    }
    let types = [
      "tEXt", "zTXt", "iTXt", "tIME", "eXIf", "zxIf", "sPLT", "pHYs", "sCAL", "oFFs", "caBX",
      "cpIp",
      "mkBF", "iDOT", "vpAg", "caNv", "orNT", "hIST", "gIFx", "PLTE", "bKGD", "gAMA", "acTL",
      "iCCP",
    ]
    for type in types {
      let chunk = pngChunk(type, text)
      add(type, TinyPNG.file(chunk))
      if type != "PLTE" { add("\(type) behind the picture", TinyPNG.file(between: chunk)) }
    }
    let raw = Array("Raw profile type exif\0\0".utf8) + Zlib.stored(text)
    add("compressed profile", TinyPNG.file(pngChunk("zTXt", raw)))
    let stream = Zlib.stored(text)
    add("compressed text", TinyPNG.file(pngChunk("zTXt", Array("Comment\0\0".utf8) + stream)))
    let packet = Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + stream
    add("compressed XMP", TinyPNG.file(pngChunk("iTXt", packet)))
    let clean = ICCProfile.cleaned(TinyICC.profile()).map {
      TinyPNG.file(pngChunk("iCCP", Array("icc\0\0".utf8) + Zlib.stored($0)))
    }
    let tagged = TinyICC.profile(TinyICC.colors + [.text("desc", Canaries.all.joined())])
    for (name, head, profile) in [
      ("profile", "p", tagged), ("profile's end", "p", TinyICC.profile() + text),
    ] {
      let chunk = pngChunk("iCCP", Array("\(head)\0\0".utf8) + Zlib.stored(profile))
      add(name, TinyPNG.file(chunk), clean: clean ?? [])
    }
    let long = Array("p\0\0".utf8) + Zlib.stored(TinyICC.profile()) + text
    add("profile's stream", TinyPNG.file(pngChunk("iCCP", long)), clean: clean ?? [])
    add("trailer", TinyPNG.file(after: text))
    add("IEND", TinyPNG.signature + TinyPNG.header + TinyPNG.data + pngChunk("IEND", text))
    let data = Array(TinyPNG.data[8..<(TinyPNG.data.count - 4)])
    let after = [
      pngChunk("IDAT", data + text), pngChunk("IDAT", data) + pngChunk("IDAT", text),
    ]
    for (index, chunks) in after.enumerated() {
      add("behind the zlib stream \(index)", TinyPNG.signature + TinyPNG.header + chunks + TinyPNG.end)
    }
    return slots
  }()

  // MARK: GIF

  private static let gif: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyGIF.file()) {
      slots.append(CanarySlot(description: "GIF \(name)", format: .gif, bytes: bytes, clean: clean))
    }
    let extensions: [(String, [UInt8])] = [
      ("comment", TinyGIF.block(0xFE, [], text)), ("unknown", TinyGIF.block(0x42, [], text)),
      ("ICC", TinyGIF.block(0xFF, Array("ICCRGBG1012".utf8), text)),
      ("application", TinyGIF.block(0xFF, Array("FILE/IPTC..".utf8), text)),
      ("loop", TinyGIF.block(0xFF, Array("NETSCAPE2.0".utf8), text)),
      ("plain text", TinyGIF.block(0x01, [UInt8](repeating: 0, count: 12), text)),
      ("XMP", GIFXMP.block(text.filter { $0 != 0 })),
    ]
    for (name, block) in extensions {
      add(name, TinyGIF.file(block))
      add("\(name) behind the picture", TinyGIF.file(between: block))
    }
    add("trailer", TinyGIF.file(after: text))
    let looped = TinyGIF.file(TinyGIF.loop)
    add("second loop", TinyGIF.file(TinyGIF.loop + extensions[4].1), clean: looped)
    let table = TinyGIF.red + Array((text + [UInt8](repeating: 0, count: 768)).prefix(765))
    let black = TinyGIF.red + [UInt8](repeating: 0, count: 765)
    add(
      "unused colors",
      TinyGIF.file(screen: TinyGIF.screen(colors: table)),
      clean: TinyGIF.file(screen: TinyGIF.screen(colors: black))
    )
    let local = { (colors: [UInt8]) in
      TinyGIF.file(image: TinyGIF.descriptor.dropLast() + [0x87] + colors + [2] + TinyGIF.data + [0])
    }
    // No picture uses the global table then.
    add("unused colors of a picture", local(table), clean: local(black))
    // The last code ends in the second of these bytes, and the rest is nobody's.
    let block = [0x44, 0x01] + text.prefix(253)
    let remaining = TinyGIF.block(0, [], Array(text.dropFirst(253)) + [7])
    let hidden = TinyGIF.descriptor + [2, UInt8(block.count)] + block + remaining.dropFirst(2)
    add("behind a picture's last code", TinyGIF.file(image: hidden))
    return slots
  }()

  // MARK: WebP

  private static let webp: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyWebP.simple) {
      slots.append(CanarySlot(description: "WebP \(name)", format: .webp, bytes: bytes, clean: clean))
    }
    let picture = riffChunk("VP8L", TinyWebP.lossless)
    let extended = TinyWebP.file(TinyWebP.extended(0) + picture)
    for type in ["EXIF", "XMP ", "ICCP", "JUNK", "FRGM", "VP8L", "VP8 ", "ANIM", "ANMF", "ALPH"] {
      let chunk = riffChunk(type, text)
      add("\(type) behind a simple picture", TinyWebP.file(picture + chunk))
      add(type, TinyWebP.file(TinyWebP.extended(0x2C) + picture + chunk), clean: extended)
    }
    for type in ["EXIF", "XMP ", "ICCP", "JUNK", "ANIM"] {
      let chunk = riffChunk(type, text)
      add("\(type) first", TinyWebP.file(TinyWebP.extended(0x2C) + chunk + picture), clean: extended)
    }
    add(
      "VP8X",
      TinyWebP.file(riffChunk("VP8X", [UInt8](repeating: 0, count: 10) + text) + picture),
      clean: extended
    )
    add("trailer", TinyWebP.file(picture, after: text))
    let animation = { (frame: [UInt8], anim: [UInt8]) in
      TinyWebP.file(TinyWebP.extended(2) + riffChunk("ANIM", anim) + frame)
    }
    let anim = [UInt8](repeating: 0, count: 6)
    let still = animation(TinyWebP.frame(picture), anim)
    add("within a frame", animation(TinyWebP.frame(picture + riffChunk("JUNK", text)), anim), clean: still)
    add(
      "first in a frame",
      animation(TinyWebP.frame(riffChunk("EXIF", text) + picture), anim),
      clean: still
    )
    add("ANIM's end", animation(TinyWebP.frame(picture), anim + text), clean: still)
    add(
      "picture beside frames",
      animation(riffChunk("VP8 ", TinyWebP.lossy + text) + TinyWebP.frame(picture), anim),
      clean: still
    )
    if let clean = ICCProfile.cleaned(TinyICC.profile()) {
      let tagged = TinyICC.profile(TinyICC.colors + [.text("desc", Canaries.all.joined())])
      add(
        "profile",
        TinyWebP.file(TinyWebP.extended(0x20) + riffChunk("ICCP", tagged) + picture),
        clean: TinyWebP.file(TinyWebP.extended(0x20) + riffChunk("ICCP", clean) + picture)
      )
    }
    return slots
  }()

  // MARK: BMP

  private static let bmp: [CanarySlot] = {
    var slots: [CanarySlot] = []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8] = TinyBMP.file()) {
      slots.append(CanarySlot(description: "BMP \(name)", format: .bmp, bytes: bytes, clean: clean))
    }
    add("gap", TinyBMP.file(gap: text))
    add("trailer", TinyBMP.file(after: text))
    add(
      "palette of true colors",
      TinyBMP.file(palette: text) { $0.replaceSubrange(32..<36, with: little(100)) }
    )
    let modern = { (space: Int, offset: Int, count: Int, after: [UInt8]) in
      TinyBMP.file(header: 124, after: after) {
        $0.replaceSubrange(56..<60, with: little(space))
        $0.replaceSubrange(112..<116, with: little(offset))
        $0.replaceSubrange(116..<120, with: little(count))
      }
    }
    let sRGB = 0x7352_4742
    let plain = modern(sRGB, 0, 0, [])
    add("linked profile", modern(0x4C49_4E4B, 148, text.count, text), clean: plain)
    add("profile that is none", modern(0x4D42_4544, 148, text.count, text), clean: plain)
    if let clean = ICCProfile.cleaned(TinyICC.profile()) {
      let tagged = TinyICC.profile(TinyICC.colors + [.text("desc", Canaries.all.joined())])
      // The file's length in its header counts the profile.
      var expected = modern(0x4D42_4544, 148, clean.count, clean)
      expected.replaceSubrange(2..<6, with: little(expected.count))
      add("profile", modern(0x4D42_4544, 148, tagged.count, tagged), clean: expected)
    }
    let colors = Array((text + [UInt8](repeating: 0, count: 1024)).prefix(1024))
    let rows: [UInt8] = [UInt8](repeating: 0, count: 8)
    add(
      "unused colors",
      TinyBMP.file(bits: 8, palette: colors, rows: rows),
      clean: TinyBMP.file(
        bits: 8,
        palette: Array(colors.prefix(3)) + [UInt8](repeating: 0, count: 1021),
        rows: rows
      )
    )
    // Nine bytes of pixels and three of padding a row: the padding of many rows.
    var padded: [UInt8] = []
    var empty: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: 3) {
      let part = Array((text[start...].prefix(3) + [0, 0]).prefix(3))
      padded += [UInt8](repeating: 9, count: 9) + part
      empty += [UInt8](repeating: 9, count: 9) + [0, 0, 0]
    }
    let tall: (inout [UInt8]) -> Void = {
      $0.replaceSubrange(8..<12, with: little(padded.count / 12))
    }
    add(
      "padding of rows",
      TinyBMP.file(rows: padded, edit: tall),
      clean: TinyBMP.file(rows: empty, edit: tall)
    )
    return slots
  }()

  // MARK: TIFF

  private static let tiff: [CanarySlot] = {
    typealias T = TinyTIFFFile
    var slots: [CanarySlot] = []
    let plain = (try? strip(T.file(), .tiff).output) ?? []
    func add(_ name: String, _ bytes: [UInt8], clean: [UInt8]? = nil, kept: Bool = false) {
      slots.append(
        CanarySlot(
          description: "TIFF \(name)",
          format: .tiff,
          bytes: bytes,
          clean: clean ?? plain,
          mayBeKept: kept
        )
      )
    }
    let tags = [
      0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0131, 0x0132, 0x013B, 0x013C, 0x014D, 0x0151,
      0x02BC,
      0x4746, 0x8298, 0x830E, 0x83BB, 0x8482, 0x85D8, 0x8649, 0x8773, 0x87AF, 0x87B0, 0x87B1,
      0x935C,
      0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xA480, 0xA481, 0xFDE8, 0x0118, 0x013E, 0x015B,
      0x0140,
      0x0120, 0x0123, 0x012D, 0x0141, 0x0157, 0x0214,
    ]
    let kept = [0x010E, 0x010F, 0x0110, 0x013B, 0x8298]
    for tag in tags {
      for type in [1, 2, 7] {
        add(
          "tag \(tag) of type \(type)",
          T.file([T.undefined(tag, text, type: type)]),
          kept: type == 2 && kept.contains(tag)
        )
      }
    }
    add("behind the directory", T.file(after: text))
    let front = 8 + text.count
    add("between header and pixels", T.file(page: T.page(strip: front), strip: text + T.pixels))
    add(
      "behind a strip's rows",
      T.file(page: T.page(strip: 8, count: 8 + text.count), strip: T.pixels + text)
    )
    let at = T.file([T.long(0x8769, 0)]).count
    for (name, pointer) in [("Exif", 0x8769), ("GPS", 0x8825), ("SubIFD", 0x014A)] {
      let inner = T.directory([T.undefined(0x927C, text), T.undefined(0x9286, text, type: 2)], at: at)
      // Its UserComment is a caption.
      add(name, T.file([T.long(pointer, at)], after: inner), kept: name == "Exif")
    }
    let pageAt = T.file().count
    let reduced = T.page(strip: 8) + [T.long(0x00FE, 1), T.undefined(0x010E, text, type: 2)]
    add("reduced page", T.file(after: T.directory(reduced, at: pageAt), next: pageAt))
    let second = T.page(strip: 8) + [T.undefined(0x010E, text, type: 2)]
    let bare = try? strip(T.file(after: T.directory(T.page(strip: 8), at: pageAt), next: pageAt), .tiff)
    add("second page", T.file(after: T.directory(second, at: pageAt), next: pageAt), clean: bare?.output)
    // A strip that is a JPEG may hold segments of its own.
    let jpegPage = { (strip: [UInt8]) in
      T.file(page: T.page(strip: 8, compression: 7, count: strip.count), strip: strip)
    }
    let jpeg = (try? strip(jpegPage(TinyJPEG.file()), .tiff).output) ?? []
    for (name, marker) in [("APP1", UInt8(0xE1)), ("APP14", 0xEE), ("COM", 0xFE)] {
      let segment = TinyJPEG.segment(marker, "", text)
      add("JPEG strip's \(name)", jpegPage(TinyJPEG.file(segment)), clean: jpeg)
    }
    add("behind a JPEG strip", jpegPage(TinyJPEG.file(after: text)), clean: jpeg)
    let tables = { (segment: [UInt8]) in
      T.file(
        [T.undefined(0x015B, TinyJPEG.soi + TinyJPEG.dqt + segment + TinyJPEG.eoi)],
        page: T.page(strip: 8, compression: 7, count: TinyJPEG.file().count),
        strip: TinyJPEG.file()
      )
    }
    add(
      "JPEG tables' COM",
      tables(TinyJPEG.segment(0xFE, "", text)),
      clean: try? strip(tables([]), .tiff).output
    )
    return slots
  }()
}
