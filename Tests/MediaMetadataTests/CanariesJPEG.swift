import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Where a JPEG can hide metadata; one file for each place, with every canary in it.
enum CanariesJPEG {
  struct Slot: CustomStringConvertible, Sendable {
    var description: String
    var bytes: [UInt8]
  }

  private static let ascii = Canaries.ascii

  static var slots: [Slot] {
    applicationSegments + exifSlots + xmpSlots + profileSlots + photoshopSlots + placesOutside
  }

  private static func slot(_ name: String, _ segments: [UInt8]) -> Slot {
    Slot(description: name, bytes: TinyJPEG.file(segments))
  }

  private static func segment(_ marker: UInt8, _ identifier: String) -> [UInt8] {
    TinyJPEG.segment(marker, identifier, ascii)
  }

  private static let applicationSegments: [Slot] = {
    let named: [(UInt8, String)] = [
      (0xE0, "JFXX\0\u{13}"), (0xE0, "AVI1"), (0xE1, "http://example.org/other/\0"),
      (0xE2, "MPF\0"),
      (0xE2, "FPXR\0"), (0xE2, "urn:iso:std:iso:ts:21496:-1\0"), (0xE3, "Meta\0\0"),
      (0xE3, "_JPSJPS_"), (0xE4, "SAMSUNG"), (0xE5, "RMETA\0"), (0xE6, "GoPro\0"), (0xE6, "NITF\0"),
      (0xE7, "PENTAX \0"), (0xE8, "SPIFF\0"), (0xE9, "Media Jukebox\0"), (0xEA, "UNICODE\0"),
      (0xEB, "HDR_RI ver=11"), (0xEC, "Ducky"), (0xEC, "[picture info]"), (0xED, "Adobe_CM\0"),
      (0xEF, "Q 100"), (0xFE, ""),
    ]
    let jumbf: [UInt8] = [0, 1, 0, 0, 0, 1] + big(8 + 33 + ascii.count) + Array("jumb".utf8)
    let description = big(25) + Array("jumd".utf8)
    let c2pa = [0x63, 0x32, 0x70, 0x61, 0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let store = jumbf + description + c2pa.map { UInt8($0) } + [3] + ascii
    let more: [UInt8] = [0, 1, 0, 0, 0, 2] + jumbf[6..<14] + ascii
    return named.map { slot("APP\($0.0 & 15) \($0.1.prefix(8))", segment($0.0, $0.1)) } + [
      slot("JFIF thumbnail", TinyJPEG.segment(0xE0, "JFIF\0", [1, 2, 1, 0, 1, 0, 1, 9, 9] + ascii)),
      slot("Adobe", TinyJPEG.segment(0xEE, "Adobe", [0, 100, 0, 0, 0, 0, 1] + ascii)),
      slot("JUMBF", TinyJPEG.segment(0xEB, "JP", jumbf + description + ascii)),
      slot("C2PA", TinyJPEG.segment(0xEB, "JP", store) + TinyJPEG.segment(0xEB, "JP", more)),
    ]
  }()

  private static let exifSlots: [Slot] = {
    let value = { (tag: Int, type: Int, bytes: [UInt8]) in
      TinyTIFF.Entry(tag: tag, type: type, count: bytes.count, value: bytes)
    }
    let texts = [
      0x010D, 0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298, 0xC4A5, 0xEA1C,
    ]
    let exif = [
      0x9003, 0x9290, 0x9286, 0x927C, 0xA004, 0xA420, 0xA430, 0xA431, 0xA433, 0xA434, 0xA435,
      0xFFFE,
    ]
    let orientation = TinyTIFF.Entry.short(0x0112, 6)
    var slots = texts.map { tag in
      Slot(
        description: "IFD0 \(tag)",
        bytes: jpeg(exif: TinyTIFF.block([orientation, value(tag, 2, ascii)]))
      )
    }
    slots += [0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F].map { tag in
      Slot(description: "IFD0 \(tag)", bytes: jpeg(exif: TinyTIFF.block([value(tag, 1, Canaries.wide)])))
    }
    slots += exif.map { tag in
      Slot(
        description: "ExifIFD \(tag)",
        bytes: jpeg(exif: TinyTIFF.block([orientation], exif: [value(tag, 7, ascii)]))
      )
    }
    slots += [1, 3, 8, 0x1B, 0x1C].map { tag in
      Slot(
        description: "GPS \(tag)",
        bytes: jpeg(exif: TinyTIFF.block([orientation], location: [value(tag, 2, ascii)]))
      )
    }
    let note = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + [0, 0] + ascii
    slots.append(
      Slot(description: "maker note", bytes: jpeg(exif: TinyTIFF.block([], exif: [value(0x927C, 7, note)])))
    )
    // A thumbnail with metadata of its own in IFD1, and bytes that no directory points to.
    let block = TinyTIFF.block([orientation])
    let thumbnail = TinyJPEG.file(segment(0xE1, "Exif\0\0"))
    let second = [.long(0x0201, block.count + 30), .long(0x0202, thumbnail.count)].reduce(big(2, 2)) {
      (bytes: [UInt8], entry: TinyTIFF.Entry) in
      bytes + big(entry.tag, 2) + big(entry.type, 2) + big(entry.count) + entry.value
    }
    let linked = Array(block.dropLast(4)) + big(block.count) + second + big(0) + thumbnail
    slots.append(Slot(description: "IFD1 thumbnail", bytes: jpeg(exif: linked)))
    slots.append(Slot(description: "Exif slack", bytes: jpeg(exif: block + ascii)))
    slots.append(slot("second Exif", TinyJPEG.segment(0xE1, "Exif\0\0", block) + segment(0xE1, "Exif\0\0")))
    return slots
  }()

  private static let xmpSlots: [Slot] = {
    let identifier = "http://ns.adobe.com/xap/1.0/\0"
    let text = String(decoding: Canaries.all.joined(separator: " ").utf8, as: UTF8.self)
    let open = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    let space = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
    let packets = [
      "\(open)<rdf:Description \(space) dc:title='\(text)'/></rdf:RDF>",
      "\(open)<rdf:Description \(space)><dc:rights>\(text)</dc:rights></rdf:Description></rdf:RDF>",
      "\(open)<!-- \(text) --></rdf:RDF>", "\(open)</rdf:RDF>\(text)<?xpacket end='w'?>", text,
    ]
    return packets.enumerated().map { index, packet in
      slot("XMP \(index)", TinyJPEG.segment(0xE1, identifier, Array(packet.utf8)))
    } + [slot("ExtendedXMP", segment(0xE1, "http://ns.adobe.com/xmp/extension/\0"))]
  }()

  private static let profileSlots: [Slot] = {
    let chunk = { (profile: [UInt8]) in
      TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [1, 1] + profile)
    }
    let colors = TinyICC.colors
    var profiles: [(String, [UInt8])] = [
      "desc", "cprt", "dmnd", "dmdd", "vcgt", "meta", "targ", "mmod", "tech", "vued", "ndin",
      "CxF ",
    ].map { name in
      let tag = TinyICC.Tag(name: name, data: Array("text".utf8) + [0, 0, 0, 0] + ascii)
      return ("tag \(name)", TinyICC.profile([tag] + colors))
    }
    // Data of a type that color tags have do not make a color tag of it.
    profiles += ["vcgt", "desc", "dvcg"].map { name in
      var curve = Array("curv".utf8) + [0, 0, 0, 0] + big((ascii.count + 1) / 2) + ascii
      if ascii.count % 2 == 1 { curve.append(0) }
      return ("curve \(name)", TinyICC.profile([TinyICC.Tag(name: name, data: curve)] + colors))
    }
    var padded = colors
    padded[3].data += ascii
    profiles.append(("behind a curve", TinyICC.profile(padded)))
    padded = colors
    padded[0].data += ascii
    profiles.append(("behind a color", TinyICC.profile(padded)))
    padded = colors
    padded[0].data = Array("text".utf8) + [0, 0, 0, 0] + ascii
    profiles.append(("instead of a color", TinyICC.profile(padded)))
    let whole = TinyICC.profile()
    profiles.append(("behind the profile", whole + ascii))
    profiles.append(("slack", big(whole.count + ascii.count) + whole[4...] + ascii))
    var header = whole
    for offset in [4, 24, 40, 48, 52, 56, 80, 84, 100] {
      header = whole
      let text = Array(Canaries.all[0].utf8)
      header.replaceSubrange(offset..<(offset + 4), with: text[..<4])
      profiles.append(("header \(offset)", header))
    }
    header = whole
    header.replaceSubrange(100..<(100 + 20), with: Array(Canaries.all[3].utf8).prefix(20))
    profiles.append(("header reserved", header))
    return profiles.map { slot("ICC \($0.0)", chunk($0.1)) }
  }()

  private static let photoshopSlots: [Slot] = {
    let resource = { (identifier: Int, data: [UInt8]) in
      Array("8BIM".utf8) + big(identifier, 2) + [0, 0] + big(data.count) + data
        + (data.count % 2 == 1 ? [0] : [])
    }
    let dataset = { (number: UInt8) in [0x1C, 2, number] + big(ascii.count, 2) + ascii }
    let identifiers = [0x03ED, 0x0409, 0x040A, 0x040B, 0x040C, 0x0422, 0x0424, 0x0425, 0x07D0]
    return identifiers.map { identifier in
      slot("8BIM \(identifier)", TinyJPEG.segment(0xED, "Photoshop 3.0\0", resource(identifier, ascii)))
    }
      + [5, 25, 80, 90, 101, 105, 116, 120, 122].map { number in
        slot("IPTC \(number)", TinyJPEG.segment(0xED, "Photoshop 3.0\0", resource(0x0404, dataset(number))))
      }
  }()

  private static let placesOutside: [Slot] = {
    let movie = big(8 + ascii.count) + Array("free".utf8) + ascii
    let scans = TinyJPEG.scan + segment(0xFE, "") + segment(0xE1, "Exif\0\0") + TinyJPEG.scan
    return [
      slot("between segments", ascii + [0xFF, 0xFF]),
      Slot(description: "between scans", bytes: TinyJPEG.file(scan: scans)),
      Slot(description: "behind the scan", bytes: TinyJPEG.file(scan: TinyJPEG.scan + segment(0xFE, ""))),
      Slot(description: "trailer", bytes: TinyJPEG.file(after: ascii)),
      Slot(description: "second picture", bytes: TinyJPEG.file(after: TinyJPEG.file(segment(0xFE, "")))),
      Slot(description: "movie", bytes: TinyJPEG.file(after: movie)),
    ]
  }()
}
