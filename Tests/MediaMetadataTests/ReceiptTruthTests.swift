import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Receipts say what exiftool finds")
struct ReceiptTruthTests {
  /// A small file, and the classes that its receipt must have; exiftool finds each of `read` in it.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var format: MediaFormat
    var bytes: [UInt8]
    var classes: Set<MetadataClass>
    /// The classes of which exiftool knows the tags; nil for all of `classes`.
    var read: Set<MetadataClass>?

    init(
      _ name: String,
      _ format: MediaFormat,
      _ bytes: [UInt8],
      _ classes: Set<MetadataClass>,
      read: Set<MetadataClass>? = nil
    ) {
      (testDescription, self.format, self.bytes) = (name, format, bytes)
      (self.classes, self.read) = (classes, read)
    }
  }

  /// An ID3v1 tag with texts at given offsets.
  private static func id3v1(_ texts: [(offset: Int, text: String)]) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: 128)
    tag[127] = 0xFF
    for (offset, text) in [(0, "TAG")] + texts {
      tag.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    return tag
  }

  private static func frame(_ name: String, _ text: String) -> (String, [UInt8]) {
    (name, [0] + text.utf8)
  }

  /// An MP3 with a tag at its end or its start.
  private static func sounds() -> [Case] {
    let single: [(String, Int, String, MetadataClass)] = [
      ("title", 3, "Quay", .text), ("artist", 33, "Ada", .person), ("album", 63, "Fog", .text),
      ("year", 93, "1999", .time), ("comment", 97, "wet", .text),
    ]
    var cases = single.map { name, offset, text, kind in
      Case("ID3v1 \(name)", .mp3, TinyMP3.frames + id3v1([(offset, text)]), [kind])
    }
    let old: [(String, String, MetadataClass)] = [
      ("TT2", "Quay", .text), ("TAL", "Fog", .text), ("TP1", "Ada", .person),
      ("TCM", "Ada", .person), ("TYE", "1999", .time), ("TDA", "0102", .time),
      ("TIM", "1234", .time), ("TSS", "Tool 1.0", .device),
    ]
    cases += old.map { name, text, kind in
      Case("ID3v2.2 \(name)", .mp3, TinyMP3.id3(2, [frame(name, text)]) + TinyMP3.frames, [kind])
    }
    let new: [(String, String, MetadataClass)] = [
      ("TEXT", "Ada", .person), ("TOPE", "Ada", .person), ("TPUB", "Ada", .person),
      ("TDOR", "1999", .time), ("TSOA", "Fog", .text),
    ]
    cases += new.map { name, text, kind in
      let tag = TinyMP3.id3(4, [frame(name, text)])
      return Case("ID3v2.4 \(name)", .mp3, tag + TinyMP3.frames, [kind], read: [])
    }
    let lyrics = TinyMP3.lyrics3(Array("EAR00003AdaLYR00003Fog".utf8))
    cases.append(Case("Lyrics3", .mp3, TinyMP3.frames + lyrics + id3v1([]), [.person, .text], read: []))
    var chunk = [UInt8](repeating: 0, count: 602)
    for (offset, text) in [(0, "Fog"), (256, "Ada"), (320, "2026-01-02"), (330, "03:04:05")] {
      chunk.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    cases.append(
      Case(
        "bext",
        .wav,
        TinyWAV.file(riffChunk("bext", chunk)),
        [.person, .time, .text],
        read: [.time, .text]
      )
    )
    return cases
  }

  /// A JPEG with an XMP packet; `inner` is what its description holds.
  static func packet(_ namespaces: String, _ inner: String) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
        + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
        + "\(namespaces)>\(inner)</rdf:Description></rdf:RDF></x:xmpmeta>").utf8
    )
  }

  private static func properties() -> [Case] {
    let core = "xmlns:c='http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/'"
    let more = "xmlns:e='http://iptc.org/std/Iptc4xmpExt/2008-02-29/'"
    let exif = "xmlns:x='http://cipa.jp/exif/1.0/'"
    let shop = "xmlns:s='http://example.org/shop/'"
    let resource = "rdf:parseType='Resource'"
    let rows: [(String, String, String, Set<MetadataClass>)] = [
      ("IPTC Core's location", core, "<c:Location>Quay</c:Location>", [.location]),
      ("IPTC Core's country", core, "<c:CountryCode>SE</c:CountryCode>", [.location]),
      (
        "IPTC Extension's person", more,
        "<e:PersonInImage><rdf:Bag><rdf:li>Ada</rdf:li></rdf:Bag></e:PersonInImage>", [.person]
      ),
      ("Exif 2.31's lens", exif, "<x:LensModel>Lens 1</x:LensModel>", [.device]),
      ("a location of no known namespace", shop, "<s:Location>Quay</s:Location>", [.location]),
      (
        "a location in a structure", shop + " " + more,
        "<s:Art \(resource)><e:City>Visby</e:City><s:When>now</s:When></s:Art>", [.location, .time]
      ),
      (
        "a location in an attribute of a structure", shop + " " + more,
        "<s:Art e:City='Visby'/>", [.location]
      ),
      ("an author of no known namespace", shop, "<s:AuthorName>Ada</s:AuthorName>", [.person]),
    ]
    return rows.map { name, namespaces, inner, classes in
      let body = packet(namespaces, inner)
      let file = TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, body))
      return Case(name, .jpeg, file, classes, read: classes.intersection([.location, .person]))
    }
  }

  /// Blocks within other blocks.
  private static func inner() -> [Case] {
    let dataset = [0x1C, 2, 90] + big(5, 2) + Array("Visby".utf8)
    let camera = TinyTIFF.block([.text(0x010F, "Maker")])
    let resource = { (identifier: Int, data: [UInt8]) in
      Array("8BIM".utf8) + big(identifier, 2) + [0, 0] + big(data.count) + data
        + [UInt8](repeating: 0, count: data.count % 2)
    }
    let version = big(1) + [1] + big(3) + [0, 65, 0, 100, 0, 97] + big(0) + big(1)
    let resources = resource(0x0422, camera) + resource(0x0421, version)
    let exif = TinyTIFF.block([
      TinyTIFF.Entry(tag: 0x83BB, type: 7, count: dataset.count, value: dataset)
    ])
    return [
      Case(
        "Exif and a version in Photoshop's resources",
        .jpeg,
        TinyJPEG.file(TinyJPEG.segment(0xED, "Photoshop 3.0\0", resources)),
        [.device],
        read: []
      ),
      Case("IPTC in Exif", .jpeg, jpeg(exif: exif), [.location], read: []),
    ]
  }

  /// Texts of PNG, as ImageMagick and others write them.
  private static func texts() -> [Case] {
    let rows: [(String, String, Set<MetadataClass>)] = [
      ("Software", "Tool 1.0", [.device]), ("Author", "Ada", [.person]),
      ("Copyright", "Ada", [.person]), ("Title", "Quay", [.text]), ("Comment", "wet", [.text]),
      ("Creation Time", "2026-01-02", [.time]), ("date:create", "2026-01-02T03:04:05", [.time]),
      ("exif:GPSLatitude", "48/1, 51/1, 30/1", [.location]),
      ("exif:DateTimeOriginal", "2026:01:02 03:04:05", [.time]),
      ("exif:Make", "Maker", [.device]), ("photoshop:City", "Visby", [.location]),
    ]
    var cases = rows.map { keyword, text, classes in
      let chunk = pngChunk("tEXt", Array("\(keyword)\0\(text)".utf8))
      // exiftool's own name of this one is ExifMake.
      let read = keyword == "exif:Make" ? [] : classes
      return Case("PNG \(keyword)", .png, TinyPNG.file(chunk), classes, read: read)
    }
    let dataset = [0x1C, 2, 90] + big(5, 2) + Array("Visby".utf8)
    let resource =
      Array("8BIM".utf8) + big(0x0404, 2) + [0, 0] + big(dataset.count) + dataset
    let xmp = packet("xmlns:p='http://ns.adobe.com/photoshop/1.0/'", "<p:City>Visby</p:City>")
    let camera = TinyTIFF.block([.text(0x010F, "Maker")])
    let blocks: [(String, [UInt8], MetadataClass)] = [
      ("iptc", resource, .location), ("xmp", xmp, .location),
      ("APP1", Array(JPEGMetadata.xmpIdentifier.utf8) + xmp, .location),
      ("exif", Array("Exif\0\0".utf8) + camera, .device),
    ]
    cases += blocks.map { kind, bytes, wanted in
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let text = "\n\(kind)\n\(String(bytes.count))\n\(digits)\n"
      let content = Array("Raw profile type \(kind)\0\0".utf8) + Zlib.stored(Array(text.utf8))
      return Case("PNG raw profile \(kind)", .png, TinyPNG.file(pngChunk("zTXt", content)), [wanted])
    }
    return cases
  }

  /// A packet of which JPEG's segment has only the rest.
  private static func extended() -> [Case] {
    let packet = packet("xmlns:p='http://ns.adobe.com/photoshop/1.0/'", "<p:City>Visby</p:City>")
    let digest = "0123456789ABCDEF0123456789ABCDEF"
    let first = Self.packet(
      "xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='\(digest)'",
      ""
    )
    let parts = [0..<100, 100..<packet.count].flatMap { range -> [UInt8] in
      let head: [UInt8] = Array(digest.utf8) + big(packet.count) + big(range.lowerBound)
      return TinyJPEG.segment(0xE1, "http://ns.adobe.com/xmp/extension/\0", head + packet[range])
    }
    let file = TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, first) + parts)
    return [Case("extended XMP", .jpeg, file, [.location])]
  }

  /// Content credentials with an assertion in JSON and a claim in CBOR.
  private static func credentials() -> [Case] {
    let tail: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let superbox = { (type: String, label: String, content: [UInt8]) in
      let description = Array(type.utf8) + tail + [3] + Array(label.utf8) + [0]
      return isoBox("jumb", isoBox("jumd", description) + content)
    }
    let key = { (text: String) in [0x60 + UInt8(text.utf8.count)] + Array(text.utf8) }
    let json = Array(#"{"exif:GPSLatitude":"48,51.5N","empty:Author":""}"#.utf8)
    // A map of one text; its key has fewer than 24 bytes.
    let claim = [0xA1] + key("claim_generator") + key("Tool 1.0")
    let store = superbox(
      "c2pa",
      "c2pa",
      superbox("json", "stds.exif", isoBox("json", json))
        + superbox("cbor", "c2pa.claim", isoBox("cbor", claim))
    )
    let split = 60
    let first: [UInt8] = [0, 1, 0, 0, 0, 1]
    let second: [UInt8] = [0, 1, 0, 0, 0, 2]
    let segments =
      TinyJPEG.segment(0xEB, "JP", first + Array(store[..<split]))
      + TinyJPEG.segment(0xEB, "JP", second + Array(store[..<8]) + Array(store[split...]))
    let classes: Set<MetadataClass> = [.contentCredentials, .location, .device]
    return [
      Case("C2PA in JPEG", .jpeg, TinyJPEG.file(segments), classes, read: [.location]),
      Case("C2PA in PNG", .png, TinyPNG.file(pngChunk("caBX", store)), classes, read: []),
    ]
  }

  static let cases =
    sounds() + properties() + inner() + texts() + extended() + credentials()

  @Test(
    "exiftool finds no class in real files that a receipt denies: no location, 1 % of the others",
    .enabled(if: Corpus.folder != nil && Tool.exists("exiftool"), "no corpus or no exiftool")
  )
  func realFiles() throws {
    var counts: [MetadataClass: (asked: Int, denied: [String])] = [:]
    let few = ["visible/jpeg", "visible/png", "visible/audio", "visible/avif"]
    for folder in Amount.isAll ? ["visible", "second/formats", "second/formats2", "third"] : few {
      guard let root = Corpus.file(folder) else { continue }
      let classesByPath = try ExiftoolClasses.classes(beneath: root)
      for path in Corpus.files(beneath: folder) {
        guard let read = classesByPath[path], let bytes = try? readBytes(path),
          bytes.count < 4 << 20,
          let format = format(of: bytes),
          let list = try? strip(bytes, format).list
        else { continue }
        let classes = ReceiptTests.receipt(list)
        for (kind, tags) in read {
          counts[kind, default: (0, [])].asked += 1
          if classes[kind] == nil { counts[kind]?.denied.append("\(path): \(tags)") }
        }
      }
    }
    #expect(counts[.location]?.asked ?? 0 > 0 && counts.count == 5, "\(counts.keys)")
    for (kind, count) in counts {
      let allowed = kind == .location ? 0 : max(1, count.asked / 100)
      #expect(count.denied.count <= allowed, "\(kind): \(count.denied) of \(count.asked)")
    }
  }

  @Test(
    "A receipt has exactly the classes of what is in a small file",
    arguments: cases
  )
  func small(wanted: Case) throws {
    let list = try strip(wanted.bytes, wanted.format).list
    let classes = Set(ReceiptTests.receipt(list).keys)
    #expect(classes == wanted.classes, "\(ReceiptDetail.tags.receipt(of: list.removedTags))")
    let inspected = try ReceiptTests.inspected(wanted.bytes, wanted.format, StripOptions())
    #expect(ReceiptTests.receipt(list) == inspected)
  }

  @Test("exiftool reads them as the classes say", .enabled(if: Tool.exists("exiftool")))
  func smallByExiftool() throws {
    let folder = TemporaryFolder()
    for (index, file) in Self.cases.enumerated() {
      let path = folder.path + "/\(index).\(file.format.rawValue)"
      try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }
    let classesByPath = try ExiftoolClasses.classes(beneath: folder.path)
    for (index, file) in Self.cases.enumerated() {
      let path = folder.path + "/\(index).\(file.format.rawValue)"
      let classes = Set(try #require(classesByPath[path]).keys)
      #expect(classes.isSuperset(of: file.read ?? file.classes), "\(file.testDescription)")
      #expect(classes.isSubset(of: file.classes), "\(file.testDescription): \(classes)")
    }
  }
}

@Suite("Receipts of picture files tell the names and times of their boxes")
struct ReceiptBoxTests {
  @Test("The name of a handler in a HEIC is a program, as exiftool says")
  func handler() throws {
    var file = HEIFCanaryTests.still(HEIFCanaryTests.Canaries())
    file.handlerName = ""
    let nameless = try strip(file.bytes, .heic).list.removedTags
    file.handlerName = "libavif"
    let named = try strip(file.bytes, .heic).list.removedTags
    let count = { (tags: [RemovedTag]) in
      tags.first { $0.tag.name == "handler name" }?.count ?? 0
    }
    #expect(count(named) == count(nameless) + 1)
    #expect(try ReceiptTests.inspected(file.bytes, .heic, StripOptions())[.device] ?? 0 > 0)
    guard Tool.exists("exiftool") else { return }
    let folder = TemporaryFolder()
    try Data(file.bytes).write(to: URL(fileURLWithPath: folder.path + "/a.heic"))
    let classes = try ExiftoolClasses.classes(beneath: folder.path)
    #expect(classes.values.first?[.device]?.contains { $0.hasSuffix("HandlerDescription") } == true)
  }

  @Test("Times, handlers and compressors in a sequence of pictures are counted, and gone")
  func sequence() throws {
    let plant = HEIFCanaryTests.Canaries()
    let file = TinySequence.file(plant, picture: HEIFCanaryTests.picture, alpha: HEIFCanaryTests.alpha)
    let (output, list) = try strip(file.bytes, .heic)
    let counts = ReceiptTests.receipt(list)
    #expect(counts[.time] ?? 0 > 0 && counts[.device] ?? 0 > 0, "\(counts)")
    #expect(counts == (try ReceiptTests.inspected(file.bytes, .heic, StripOptions())))
    #expect(try ReceiptTests.inspected(output, .heic, StripOptions()) == [:])
  }
}
