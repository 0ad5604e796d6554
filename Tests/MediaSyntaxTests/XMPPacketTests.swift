import MediaSyntax
import Testing

@Suite("XMP packets")
struct XMPPacketTests {
  private static let properties = [
    XMPPacket.alternative("dc:title", "A &amp; B"),
    XMPPacket.list("dc:subject", "Bag", ["a", "b"]),
  ]

  private static func text(_ layout: XMPPacket.Layout) -> String {
    let bytes = XMPPacket.bytes(
      of: properties,
      namespaces: [("dc", "http://purl.org/dc/elements/1.1/")],
      attributes: [("hdrgm:Version", "1.0")],
      layout: layout
    )
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A packet within a file is one line, which is not to be written")
  func embedded() {
    let expected = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" hdrgm:Version="1.0"><dc:title><rdf:Alt>\
      <rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title><dc:subject><rdf:Bag>\
      <rdf:li>a</rdf:li><rdf:li>b</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF>\
      </x:xmpmeta><?xpacket end="r"?>
      """
    #expect(Self.text(.embedded) == expected)
  }

  @Test("A packet in a file of its own has lines, and may be written")
  func lines() {
    let expected = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          hdrgm:Version="1.0">
         <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title>
         <dc:subject><rdf:Bag><rdf:li>a</rdf:li><rdf:li>b</rdf:li></rdf:Bag></dc:subject>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """
    #expect(Self.text(.lines) == expected)
  }
}
