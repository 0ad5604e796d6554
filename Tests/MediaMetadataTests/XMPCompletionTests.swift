import Foundation
import Testing

@testable import MediaMetadata

@Suite("What a sidecar lacks is added to it")
struct XMPCompletionTests {
  private static let own = XMPWriter.packet(
    of: "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">a &lt;b</rdf:li></rdf:Alt>"
      + "</dc:description><xmp:Rating>4</xmp:Rating><exif:GPSLatitude>1,0N</exif:GPSLatitude>"
      + "<exif:GPSLongitude>2,0E</exif:GPSLongitude><xmp:CreateDate>2019</xmp:CreateDate>"
      + "<exif:DateTimeOriginal>2019</exif:DateTimeOriginal><dc:subject><rdf:Bag/></dc:subject>",
    namespaces: [
      ("dc", XMPNamespace.dublinCore), ("xmp", XMPNamespace.basic), ("exif", XMPNamespace.exif),
    ]
  )

  /// The packet with what it lacks; nil when it cannot be changed.
  private func completed(_ packet: String) -> String? {
    let bytes = Array(packet.utf8)
    guard let completion = XMPCompletion(of: Self.own, for: bytes) else { return nil }
    return String(
      decoding: bytes[..<completion.offset] + completion.bytes + bytes[completion.offset...],
      as: UTF8.self
    )
  }

  private func packet(_ inner: String) -> String {
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\r\n<rdf:RDF xmlns:rdf='\(XMPNamespace.rdf)'>\(inner)\n </rdf:RDF>"
      + "</x:xmpmeta>\n"
  }

  private func names(_ packet: String) -> [String] {
    XMPProperties(Array(packet.utf8)).all.map(\.name.name).sorted()
  }

  @Test("An empty description gets all, and each byte that was there stays where it was")
  func all() throws {
    let before = packet("<rdf:Description rdf:about='uuid:1&amp;2'/>")
    let after = try #require(completed(before))
    #expect(
      Set(names(after)).isSuperset(of: [
        "CreateDate", "DateTimeOriginal", "GPSLatitude", "GPSLongitude", "Rating", "description",
      ])
    )
    let parts = before.components(separatedBy: "</rdf:RDF>")
    #expect(after.hasPrefix(parts[0]) && after.hasSuffix("</rdf:RDF>" + parts[1]))
    #expect(after.contains("<rdf:Description rdf:about=\"uuid:1&amp;2\""))
    #expect(after.contains(">a &lt;b</rdf:li>"))
    // What it has now it does not get again.
    #expect(completed(after) == after)
  }

  @Test(
    "A property that is anywhere, in either form and under any prefix, is not added",
    arguments: [
      "<rdf:Description xmlns:q='\(XMPNamespace.basic)' q:Rating='1'/>",
      "<rdf:Description xmlns:q='\(XMPNamespace.basic)'><q:Rating>1</q:Rating></rdf:Description>",
      "<rdf:Description xmlns:q='\(XMPNamespace.basic)' xmlns:z='urn:z'><z:a><rdf:Bag><rdf:li q:Rating='1'/>"
        + "</rdf:Bag></z:a></rdf:Description>",
    ]
  )
  func forms(inner: String) throws {
    let after = try #require(completed(packet(inner)))
    #expect(!after.contains("xmp:Rating") && after.contains("<dc:description>"))
  }

  @Test(
    "A fact that it tells under another name is not told twice",
    arguments: [
      ("exif", XMPNamespace.exif, "GPSLatitude='50,0S'", "GPSLongitude"),
      ("p", XMPNamespace.photoshop, "DateCreated='2020'", "<xmp:CreateDate>"),
      ("d", XMPNamespace.digiKam, "TagsList='a/b'", "<dc:subject>"),
    ]
  )
  func facts(prefix: String, space: String, attribute: String, other: String) throws {
    let inner = "<rdf:Description rdf:about='' xmlns:\(prefix)='\(space)' \(prefix):\(attribute)/>"
    let after = try #require(completed(packet(inner)))
    #expect(!after.contains(other) && after.contains("xmp:Rating"))
    #expect(try #require(completed(packet("<rdf:Description/>"))).contains(other))
  }

  @Test("Where RDF has another prefix, the description brings its own")
  func prefix() throws {
    for packet in [
      "<r:RDF xmlns:r='\(XMPNamespace.rdf)'><r:Description r:about=''/></r:RDF>",
      "<RDF xmlns='\(XMPNamespace.rdf)' xmlns:rdf='urn:other'></RDF>",
    ] {
      let after = try #require(completed(packet))
      #expect(names(after).contains("Rating"), "\(after)")
      #expect(after.contains("xmlns:rdf=\"\(XMPNamespace.rdf)\""))
    }
  }

  @Test("What is not well-formed, or has no description of RDF with an end, cannot be changed")
  func refused() {
    let rdf = "xmlns:rdf='\(XMPNamespace.rdf)'"
    for packet in [
      "", "\u{FEFF}", "no packet", "<a/>", "<rdf:RDF \(rdf)/>", "<rdf:RDF \(rdf)>",
      "<rdf:RDF \(rdf)></rdf:RDF", "<rdf:RDF \(rdf)></rdf:rdf>", "<RDF></RDF>",
      "<rdf:RDF \(rdf)><a></b></rdf:RDF>", "<rdf:RDF \(rdf)></rdf:RDF>text",
      "<rdf:RDF \(rdf)></rdf:RDF><a/>", "<!DOCTYPE x><rdf:RDF \(rdf)></rdf:RDF>",
      String(repeating: "<a>", count: 100) + "<rdf:RDF \(rdf)></rdf:RDF>"
        + String(repeating: "</a>", count: 100),
    ] { #expect(completed(packet) == nil, "\(packet)") }
    #expect(XMPCompletion(of: Self.own, for: [0x3C, 0xFF, 0x3E]) == nil)
  }
}
