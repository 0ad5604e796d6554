import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Receipts of what strip removes")
struct ReceiptTests {
  /// The number of removed values of each class but `other`: only a receipt counts parts of the
  /// container that have no entry of their own.
  static func counts(_ removed: some Sequence<(MetadataClass, Int)>) -> [MetadataClass: Int] {
    var counts: [MetadataClass: Int] = [:]
    for (kind, count) in removed where kind != .other { counts[kind, default: 0] += count }
    return counts
  }

  static func receipt(_ list: EditList) -> [MetadataClass: Int] {
    counts(list.removedTags.map { ($0.tag.metadataClass, $0.count) })
  }

  static func inspected(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ options: StripOptions
  ) throws -> [MetadataClass: Int] {
    try withSource(bytes) { source in
      counts(
        try MetadataInspector.entries(of: source, format: format, options: options)
          .filter(\.isRemoved).map { ($0.metadataClass, 1) }
      )
    }
  }

  @Test(
    "A receipt counts what inspect lists, in any format",
    arguments: InspectorAgreementTests.choices
  )
  func agrees(options: StripOptions) throws {
    var seen: Set<MediaFormat> = []
    for (index, (format, bytes)) in InspectorAgreementTests.files.enumerated() {
      guard let list = try? strip(bytes, format, options).list else { continue }
      seen.insert(format)
      let expected = try Self.inspected(bytes, format, options)
      #expect(Self.receipt(list) == expected, "\(format), file \(index)")
    }
    #expect(seen.count >= 14, "\(seen)")
  }

  @Test(
    "A receipt of a real file counts what inspect lists",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: InspectorAgreementTests.choices
  )
  func agreesOnRealFiles(options: StripOptions) throws {
    var count = 0
    let folders = ["visible", "second/formats", "second/formats2"]
    for path in folders.flatMap({ Corpus.files(beneath: $0) }) {
      let bytes = try readBytes(path)
      guard bytes.count < 4 << 20, let format = format(of: bytes),
        let list = try? strip(bytes, format, options).list
      else { continue }
      count += 1
      #expect(Self.receipt(list) == (try Self.inspected(bytes, format, options)), "\(path)")
    }
    #expect(count >= 100, "\(count)")
  }

  @Test(
    "exiftool finds a position in exactly the real pictures whose receipts have a location",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func exiftoolAgrees() throws {
    for path in Corpus.files(beneath: "visible/jpeg") + Corpus.files(beneath: "visible/heic") {
      let bytes = try readBytes(path)
      guard let format = format(of: bytes),
        let list = try? strip(bytes, format, StripOptions()).list
      else { continue }
      let output = try Tool.run("exiftool", ["-s3", "-GPS:all", path]).output
      #expect((Self.receipt(list)[.location] ?? 0 > 0) || output.isEmpty, "\(path): \(output)")
    }
  }

  @Test("Each name of an Exif tag is in the closed table")
  func exifNames() {
    for number in 0...0xFFFF {
      for isLocation in [false, true] {
        let name = ExifTagNames.name(number, isLocation: isLocation)
        guard !name.hasPrefix("0x") else { continue }
        #expect(MetadataTag(named: name) != nil, "\(name)")
        let path = (isLocation ? "APP1 Exif/GPS/" : "APP1 Exif/IFD0/") + name
        #expect(ExifTagNames.tag(number, isLocation: isLocation) == .of(path: path))
      }
    }
  }

  @Test("Each name of an XMP property in the closed table is one that a reader makes")
  func propertyNames() {
    let namespaces = [
      "http://ns.adobe.com/exif/1.0/", "http://ns.adobe.com/tiff/1.0/",
      "http://ns.adobe.com/xap/1.0/", "http://ns.adobe.com/xap/1.0/mm/",
      "http://ns.adobe.com/xap/1.0/rights/", "http://ns.adobe.com/photoshop/1.0/",
      "http://ns.adobe.com/lightroom/1.0/", "http://ns.adobe.com/exif/1.0/aux/",
      "http://purl.org/dc/elements/1.1/", "http://cipa.jp/exif/1.0/",
      "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
      "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "http://rs.tdwg.org/dwc/terms/",
      "http://www.dji.com/drone-dji/1.0/", "http://ns.microsoft.com/photo/1.2/",
      "http://www.metadataworkinggroup.com/schemas/regions/", "http://ns.adobe.com/pdf/1.3/",
    ]
    // ImageMagick's keywords of PNG, and the attribute around the RDF that names the program.
    let prefixes = Set(namespaces.map(XMPNamespace.prefix)).union(["date", "x"])
    #expect(prefixes.count == namespaces.count + 2, "two namespaces of one prefix")
    for index in 0..<MetadataTag.count {
      guard let name = MetadataTag(index: index)?.name, name.first?.isNumber == false,
        let prefix = name.split(separator: ":").first, prefix.count < name.count
      else { continue }
      #expect(prefixes.contains(String(prefix)), "\(name)")
    }
  }

  @Test("Faces are named: a structure of XMP is a property too")
  func regions() throws {
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:mwg-rs='http://www.metadataworkinggroup.com/schemas/regions/'>"
      + "<mwg-rs:Regions rdf:parseType='Resource'><mwg-rs:RegionList><rdf:Bag><rdf:li "
      + "mwg-rs:Name='Jane Doe'/></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
      + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    let file = TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, Array(packet.utf8)))
    let list = try strip(file, .jpeg, StripOptions()).list
    #expect(Self.receipt(list) == [.person: 1])
    #expect(ReceiptDetail.tags.receipt(of: list.removedTags).map(\.name) == ["regions:Regions"])
  }

  @Test("A million parts of one kind are counted once, without time for each")
  func many() throws {
    let comments = (0..<20_000).flatMap { _ in TinyJPEG.segment(0xFE, "", [1]) }
    let list = try strip(TinyJPEG.file(comments), .jpeg, StripOptions()).list
    #expect(Self.receipt(list)[.text] ?? 0 >= 10_000)
  }
}
