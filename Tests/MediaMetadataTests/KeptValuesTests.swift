import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaModel
@testable import MediaStripping

@Suite("Reading values that may be kept")
struct KeptValuesTests {
  static func xmp(_ content: String, attributes: String = "") -> KeptMetadata {
    let packet =
      "<?xml version='1.0'?><!-- c --><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<r:Description xmlns:d='http://purl.org/dc/elements/1.1/' xmlns:m='http://example.org/m/' "
      + "xmlns:xap='http://ns.adobe.com/xap/1.0/' xmlns:e='http://ns.adobe.com/exif/1.0/' "
      + "\(attributes)>\(content)</r:Description></r:RDF>"
    return XMPValues.read(Array(packet.utf8))
  }

  @Test("XMP is read by namespace, as attribute or element, the default language first")
  func forms() {
    #expect(Self.xmp("", attributes: "d:title='a &amp; &#x42;'").title == "a & B")
    #expect(Self.xmp("<d:title>a<![CDATA[<b>]]></d:title>").title == "a<b>")
    let languages =
      "<r:li xml:lang='de'>Hafen</r:li><r:li xml:lang='x-default'>Harbour</r:li>"
    #expect(Self.xmp("<d:title><r:Alt>\(languages)</r:Alt></d:title>").title == "Harbour")
    let creators = "<d:creator><r:Seq><r:li>Ada</r:li><r:li>Grace</r:li></r:Seq></d:creator>"
    #expect(Self.xmp(creators).creator == "Ada; Grace")
    #expect(Self.xmp("", attributes: "xap:Rating='5'").rating == 5)
    #expect(Self.xmp("", attributes: "xap:Rating='-1'").rating == -1)
    #expect(Self.xmp("", attributes: "xap:Rating='-1.0'").rating == -1)
    #expect(
      Self.xmp("<x:title xmlns:x='http://purl.org/dc/elements/1.1/'>t</x:title>").title == "t"
    )
  }

  @Test(
    "What lies within a property, or outside a description, is none of the file's own",
    arguments: [
      "<m:History><r:Description d:title='inner'/></m:History>",
      "<m:History><r:Seq><r:li><r:Description d:title='inner'/></r:li></r:Seq></m:History>",
      "<m:History r:parseType='Resource'><d:title>inner</d:title></m:History>",
      "<d:title><m:x>inner</m:x></d:title>", "<d:Title>inner</d:Title>", "<title>inner</title>",
      "<x:title>inner</x:title>", "<d:title xmlns:d='http://example.org/'>inner</d:title>",
    ]
  )
  func nested(content: String) {
    #expect(Self.xmp(content).title == nil)
  }

  @Test(
    "A value of the wrong shape is absent",
    arguments: ["6", "-2", "five", "", "3e0", "99999999999999999999"]
  )
  func ratings(text: String) {
    #expect(Self.xmp("", attributes: "xap:Rating='\(text)'").rating == nil)
  }

  @Test("That a picture is rejected, XMP says; Exif and ID3 have no value for it and say nothing")
  func rejected() throws {
    var kept = KeptMetadata()
    kept.rating = -1
    let packet = try #require(XMPWriter.packet(kept: kept))
    #expect(XMPValues.read(packet).rating == -1)
    #expect(XMPWriter.isOwn(packet, under: StripOptions(except: [.rating])))
    #expect(!XMPWriter.isOwn(packet, under: StripOptions(except: [.caption])))
    #expect(ExifWriter.block(orientation: 1, kept: kept) == nil)
    #expect(ID3Values.tag(kept) == nil)
  }

  @Test("Dates of XMP are as precise as they say, and in their calendar")
  func dates() {
    let date = { (text: String) in
      Self.xmp("", attributes: "e:DateTimeOriginal='\(text)'").creationDate
    }
    #expect(date("2026-11-21T01:44:39.25+02:00")?.local == "2026-11-21T01:44:39")
    #expect(date("2026-11-21T01:44:39.25+02:00")?.offsetMinutes == 120)
    #expect(date("2026-11-21T01:44Z")?.local == "2026-11-21T01:44:00")
    #expect(date("2026-11-21T01:44Z")?.offsetMinutes == 0)
    for text in ["2026", "2026-11", "2026-11-21"] { #expect(date(text)?.local == text) }
    // Of a time that does not exist the day remains.
    #expect(date("2026-11-21T25:00")?.local == "2026-11-21")
    for text in ["2026-13", "2026-02-30T00:00:00", "today", ""] {
      #expect(date(text) == nil)
    }
  }

  @Test(
    "A date of XMP that cannot be is marked; a year or a month alone is one",
    arguments: [
      ("2026-11-21T01:44:39Z", ["2026-11-21T01:44:39"]), ("2026-11-21", ["2026-11-21"]),
      ("2026-02-30T10:00:00", ["0000-01-01"]), ("2026-02-30", ["0000-01-01"]),
      ("2026-11-21T25:00", ["2026-11-21", "0000-01-01"]), ("2026", ["2026"]), ("2026-11", ["2026-11"]),
      ("0000-00-00T00:00:00", []), ("today", []), ("", []),
    ] as [(String, [String])]
  )
  func statedDates(text: String, expected: [String]) {
    #expect(DateText.dates(text, tag: "xmp:CreateDate").map(\.local) == expected)
    let packet = """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <r:Description xmlns:x='http://ns.adobe.com/xap/1.0/' x:CreateDate='\(text)'/></r:RDF>
      """
    var description: MediaDescription? = MediaDescription()
    XMPValues.describe(XMPProperties(Array(packet.utf8)), into: &description)
    #expect(description?.dates.map(\.local) == expected)
  }

  @Test(
    "People are those of faces in regions, in each of RDF's forms, of IPTC and of digiKam's tags",
    arguments: [
      (
        """
        <m:Regions r:parseType='Resource'><m:AppliedToDimensions a:w='4'/><m:RegionList><r:Bag>
        <r:li><r:Description m:Name='Ann' m:Type='Face'><m:Area a:x='7' a:y='-1'/></r:Description></r:li>
        <r:li m:Name='Bo' m:Type='Face'/>
        <r:li r:parseType='Resource'><m:Type>Face</m:Type><m:Name>Cy &amp; Di</m:Name>
          <m:Extensions><r:Description><x:list><r:Bag><r:li>No</r:li></r:Bag></x:list></r:Description>
          </m:Extensions></r:li>
        <r:li m:Name='Rex' m:Type='Pet'/><r:li m:Name='Spot' m:Type='Focus'/><r:li m:Type='Face'/>
        <r:li m:Name='Ann' m:Type='Face'/><r:li m:Name='Eve'/>
        </r:Bag></m:RegionList></m:Regions>
        """, ["Ann", "Bo", "Cy & Di", "Eve"]
      ),
      (
        """
        <p:RegionInfo r:parseType='Resource'><i:Regions><r:Bag>
        <r:li g:Rectangle='9, 9, 9, 9' g:PersonDisplayName='Ann'/>
        <r:li><r:Description><g:PersonDisplayName>Bo</g:PersonDisplayName></r:Description></r:li>
        <r:li g:Rectangle='0, 0, 1, 1'/></r:Bag></i:Regions></p:RegionInfo>
        """, ["Ann", "Bo"]
      ),
      (
        """
        <q:PersonInImage><r:Bag><r:li>Ann</r:li><r:li> Bo </r:li></r:Bag></q:PersonInImage>
        <k:TagsList><r:Seq><r:li>People/Family/Cy</r:li><r:li>People</r:li><r:li>Places/Rome</r:li>
        <r:li>People/Unknown</r:li><r:li>People/Ann</r:li></r:Seq></k:TagsList>
        """, ["Ann", "Bo", "Cy"]
      ),
      (
        """
        <l:hierarchicalSubject><r:Bag><r:li>Personnes|Famille|Ann</r:li><r:li>Lieux|Rome</r:li></r:Bag>
        </l:hierarchicalSubject>
        <w:LastKeywordXMP><r:Bag><r:li>Album/ Люди /Bo</r:li><r:li>/</r:li></r:Bag></w:LastKeywordXMP>
        <w:LastKeywordIPTC><r:Bag><r:li>People/Gil</r:li></r:Bag></w:LastKeywordIPTC>
        <v:CatalogSets><r:Bag><r:li>PEOPLE|Cy</r:li></r:Bag></v:CatalogSets>
        <v:People><r:Bag><r:li>Di</r:li></r:Bag></v:People>
        <q:PersonInImageWDetails><r:Bag><r:li r:parseType='Resource'><q:PersonName><r:Alt>
          <r:li xml:lang='x-default'>Flo</r:li></r:Alt></q:PersonName><q:PersonId><r:Bag><r:li>7</r:li></r:Bag></q:PersonId>
        </r:li></r:Bag></q:PersonInImageWDetails>
        <c:categories>&lt;Categories&gt;&lt;Category Assigned="0"&gt;People&lt;Category Assigned="1"&gt;Eve
        &lt;/Category&gt;&lt;/Category&gt;&lt;/Category&gt;&lt;/Category&gt;&lt;Category&gt;Sea</c:categories>
        """, ["Flo", "Di", "Ann", "Cy", "Bo", "Gil", "Eve"]
      ),
      ("<m:Name>Ann</m:Name><x:note><r:Bag><r:li>Ann</r:li></r:Bag></x:note>", nil),
    ] as [(String, [String]?)]
  )
  func people(property: String, expected: [String]?) {
    let packet = """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:x='urn:x'
       xmlns:a='http://ns.adobe.com/xmp/sType/Area#'
       xmlns:m='http://www.metadataworkinggroup.com/schemas/regions/'
       xmlns:p='http://ns.microsoft.com/photo/1.2/'
       xmlns:i='http://ns.microsoft.com/photo/1.2/t/RegionInfo#'
       xmlns:g='http://ns.microsoft.com/photo/1.2/t/Region#'
       xmlns:q='http://iptc.org/std/Iptc4xmpExt/2008-02-29/' xmlns:k='http://www.digikam.org/ns/1.0/'
       xmlns:l='http://ns.adobe.com/lightroom/1.0/' xmlns:w='http://ns.microsoft.com/photo/1.0/'
       xmlns:v='http://ns.iview-multimedia.com/mediapro/1.0/' xmlns:c='http://ns.acdsee.com/iptc/1.0/'>
      <r:Description>\(property)</r:Description></r:RDF>
      """
    var description: MediaDescription? = MediaDescription()
    XMPValues.describe(XMPProperties(Array(packet.utf8)), into: &description)
    #expect(description?.people == expected)
    // A file of which no description is wanted is read as before.
    var none: MediaDescription?
    XMPValues.describe(XMPProperties(Array(packet.utf8)), into: &none)
    #expect(none == nil)
  }

  @Test("Regions have at most as many people as a description, whatever the packet has")
  func manyPeople() {
    let items = (0..<1000).map { "<r:li m:Name='\($0)' m:Type='Face'/>" }.joined()
    let packet = """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
       xmlns:m='http://www.metadataworkinggroup.com/schemas/regions/'><r:Description>
      <m:Regions><r:Bag>\(items)</r:Bag></m:Regions></r:Description></r:RDF>
      """
    let properties = XMPProperties(Array(packet.utf8))
    #expect(properties.people.count == 256)
    var description: MediaDescription? = MediaDescription()
    XMPValues.describe(properties, into: &description)
    #expect(description?.people?.count == MediaDescription.maximumPeople)
  }

  @Test("Text is bounded, cut at a character, without control characters, in any of two encodings")
  func text() throws {
    #expect(MetadataText.checked(Array("  a\u{7}b\tc \0d".utf8)) == "ab c")
    #expect(MetadataText.checked([0xA9, 0x20, 0x41, 0x64, 0x61]) == "© Ada")
    #expect(MetadataText.checked(Array("© Ada".utf8)) == "© Ada")
    #expect(MetadataText.checked([0x20, 0x00]) == nil)
    let long = String(repeating: "é", count: 1500)
    let cut = try #require(MetadataText.checked(Array(long.utf8)))
    #expect(cut.utf8.count == 2000 && long.hasPrefix(cut))
    #expect(MetadataText.checked(cut) == cut)
  }

  @Test("A place needs both directions; seconds that a camera does not have are none")
  func place() {
    let degrees = { (tag: Int, values: [Int]) in
      TinyTIFF.Entry(tag: tag, type: 5, count: 3, value: values.flatMap { big($0) })
    }
    let read = { (entries: [TinyTIFF.Entry]) -> Coordinate? in
      var metadata = FoundMetadata()
      metadata.takeExif(TinyTIFF.block([], location: entries))
      return metadata.merged.location
    }
    let latitude = degrees(2, [48, 1, 515, 10, 0, 0])
    let longitude = degrees(4, [2, 1, 0, 1, 36, 1])
    let all = [.text(1, "S"), latitude, .text(3, "E"), longitude]
    #expect(read(all) == Coordinate(latitude: -488_583_333, longitude: 20_100_000))
    #expect(read([latitude, .text(3, "E"), longitude]) == nil)
    #expect(read([.text(1, "S"), latitude, .text(3, "X"), longitude]) == nil)
    #expect(read([.text(1, "N"), degrees(2, [91, 1, 0, 1, 0, 1]), all[2], all[3]]) == nil)
    #expect(read([.text(1, "N"), degrees(2, [1, 0, 0, 1, 0, 1]), all[2], all[3]]) == nil)
  }

  @Test("0, 0 in XMP is no place, in its own notation and in that of Apple Photos")
  func nowhere() throws {
    let place = { (latitude: String, longitude: String) in
      Self.xmp("", attributes: "e:GPSLatitude='\(latitude)' e:GPSLongitude='\(longitude)'").location
    }
    #expect(place("0,0.000000N", "0,0.000000E") == nil)
    #expect(place("0,0,0S", "0,0,0W") == nil)
    #expect(place("0,0.000000N", "1,0.000000E") != nil)
    let sidecar = { (longitude: String) in
      """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <r:Description xmlns:e='http://ns.adobe.com/exif/1.0/' e:GPSLatitude='0.0' e:GPSLatitudeRef='N'
      e:GPSLongitude='\(longitude)' e:GPSLongitudeRef='W'/></r:RDF>
      """
    }
    for (longitude, isPlace) in [("0.0", false), ("1.5", true)] {
      let described = try withSource(Array(sidecar(longitude).utf8)) {
        try SidecarReader.description(of: $0, format: .xmp)
      }
      #expect((described.place != nil) == isPlace, "\(longitude)")
    }
  }

  @Test("Of a sidecar with many people the first are read, and one with too many says so")
  func people() throws {
    func read(_ count: Int) throws -> MediaDescription {
      let names = (0..<count).map { "<r:li>\($0)</r:li>" }.joined()
      let packet = """
        <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
        xmlns:i='http://iptc.org/std/Iptc4xmpExt/2008-02-29/'><r:Description><i:PersonInImage>
        <r:Bag>\(names)</r:Bag></i:PersonInImage></r:Description></r:RDF>
        """
      return try withSource(Array(packet.utf8)) {
        try SidecarReader.description(of: $0, format: .xmp)
      }
    }
    // Each name has three tokens.
    #expect(try read(30_000).people == (0..<64).map(String.init))
    let error = #expect(throws: MetadataError.self) { try read(50_000) }
    #expect(error?.code == .overLimit)
  }

  @Test("Of several places, a camera's come from Exif first, a person's from XMP first")
  func precedence() {
    var exif = KeptMetadata()
    (exif.make, exif.caption, exif.copyright) = ("Exif", "OLYMPUS DIGITAL CAMERA", "Exif")
    let dataset = { (number: UInt8, text: String) in
      [0x1C, 2, number] + big(text.utf8.count, 2) + Array(text.utf8)
    }
    var metadata = FoundMetadata()
    metadata.takeIPTC(dataset(120, "IPTC") + dataset(116, "IPTC") + dataset(5, "IPTC"))
    #expect(metadata.merged.caption == "IPTC")
    metadata.takeExif(ExifWriter.block(orientation: 1, kept: exif) ?? [])
    #expect(metadata.merged.caption == "IPTC" && metadata.merged.copyright == "IPTC")
    #expect(metadata.merged.make == "Exif")
    var xmp = KeptMetadata()
    (xmp.make, xmp.model, xmp.caption) = ("XMP", "XMP", "XMP")
    metadata.takeXMP(XMPWriter.packet(kept: xmp, scope: .alone) ?? [])
    #expect(metadata.merged.caption == "XMP" && metadata.merged.copyright == "IPTC")
    // A model from elsewhere would make a camera that does not exist.
    #expect(metadata.merged.make == "Exif" && metadata.merged.model == nil)
    #expect(metadata.merged.title == "IPTC")
    // A lens is of its own.
    xmp.lensModel = "XMP"
    var other = FoundMetadata()
    other.takeExif(ExifWriter.block(orientation: 1, kept: exif) ?? [])
    other.takeXMP(XMPWriter.packet(kept: xmp, scope: .alone) ?? [])
    #expect(other.merged.make == "Exif" && other.merged.lensModel == "XMP")
  }

  @Test(
    "What strip may write is the date of the capture, though another block has one of digitizing with its time"
  )
  func capturedYear() throws {
    var metadata = FoundMetadata()
    metadata.takeExif(TinyTIFF.block([], exif: [.text(0x9004, "2019:05:05 10:11:12")]))
    let packet = """
      <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <r:Description xmlns:p='http://ns.adobe.com/photoshop/1.0/' p:DateCreated='1978'/></r:RDF>
      """
    #expect(metadata.merged.creationDate?.local == "2019-05-05T10:11:12")
    metadata.takeXMP(Array(packet.utf8))
    let kept = metadata.merged
    #expect(kept.creationDate == CaptureDate(local: "1978", offsetMinutes: nil, tag: KeptMetadata.dateTag))
    // What is written is read as the same.
    let block = try #require(ExifWriter.block(orientation: 1, kept: kept))
    #expect(ExifWriter.isOwn(block, under: StripOptions(except: [.creationDate])))
    var again = FoundMetadata()
    again.takeExif(block)
    #expect(again.merged.creationDate == kept.creationDate)
    let xmp = try #require(XMPWriter.packet(kept: kept, scope: .alone))
    #expect(XMPValues.read(xmp).creationDate == kept.creationDate)
  }

  @Test("A lens comes from Exif, then from Exif's properties in XMP, then from Adobe's")
  func lens() throws {
    let block = TinyTIFF.block([], exif: [.text(0xA434, " Glass\u{1B} 50mm ")])
    #expect(try facts(of: jpeg(exif: block)).lensModel == "Glass 50mm")
    let names = [
      ("http://cipa.jp/exif/1.0/", "LensModel"), ("http://ns.adobe.com/exif/1.0/aux/", "Lens"),
      ("http://ns.adobe.com/exif/1.0/aux/", "LensModel"),
    ]
    func packet(_ values: [String?]) -> [UInt8] {
      let properties = zip(names, values).map { name, value in
        value.map { "<l:\(name.1) xmlns:l='\(name.0)'>\($0)</l:\(name.1)>" } ?? ""
      }
      return XMPWriter.packet(of: properties.joined(), namespaces: [])
    }
    func lens(_ values: [String?]) -> String? {
      KeptMetadataTests.xmp(packet(values)).lensModel
    }
    #expect(lens(["A", "B", nil]) == "A" && lens([nil, "B", "C"]) == "B")
    #expect(lens([nil, nil, "C"]) == nil)
    var both = FoundMetadata()
    both.takeXMP(packet(["A", "B", nil]))
    both.takeExif(block)
    #expect(both.merged.lensModel == "Glass 50mm")
  }

  @Test("Of a lens, Exif has the model and its own version alone")
  func writtenLens() throws {
    var kept = KeptMetadata()
    kept.lensModel = "Glass 50mm"
    let block = try #require(ExifWriter.block(orientation: 1, kept: kept))
    #expect(ExifWriter.isOwn(block, under: StripOptions(except: [.lens])))
    #expect(!ExifWriter.isOwn(block, under: StripOptions(except: [.camera])))
    #expect(KeptMetadataTests.exif(block) == kept && block.contains("0232"))
    // Beside an Exif block no packet is needed; alone it has the name that Exif's own schema gives it.
    #expect(XMPWriter.packet(kept: kept) == nil)
    let packet = try #require(XMPWriter.packet(kept: kept, scope: .alone))
    #expect(packet.contains("<exifEX:LensModel>Glass 50mm</exifEX:LensModel>"))
  }

  @Test("The catalogue may hold what the stripped file still says")
  func publishable() {
    var facts = Facts(format: .jpeg, pixelSize: PixelSize(width: 4, height: 3), orientation: 6)
    facts.creationDate = CaptureDate(local: "2026-11-21T01:44:39", offsetMinutes: 0, tag: "DateTime")
    (facts.camera, facts.hasLocation, facts.contentIdentifier) = ("C", true, "I")
    facts.lensModel = "L"
    var description = MediaDescription()
    description.place = MediaDescription.Place(latitude: 488_582_220, longitude: 22_945_000)
    (description.rating, description.caption, description.keywords) = (4, "A caption", ["word"])
    facts.description = description
    let nothing = facts.publishable(under: StripOptions())
    #expect(nothing == Facts(format: .jpeg, pixelSize: facts.pixelSize, orientation: 6))
    let all = facts.publishable(under: StripOptions(except: Set(MetadataException.allCases)))
    #expect(all.creationDate?.local == facts.creationDate?.local && all.camera == "C" && all.hasLocation)
    // What is written is the date of the capture.
    #expect(all.creationDate?.tag == "DateTimeOriginal")
    #expect(all.contentIdentifier == nil && all.lensModel == "L")
    #expect(all.description?.rating == 4 && all.description?.caption == "A caption")
    #expect(all.description?.place == description.place && all.description?.keywords == [])
    let coarse = facts.publishable(under: StripOptions(except: [.location], isLocationCoarse: true))
    #expect(
      coarse.description?.place == MediaDescription.Place(latitude: 489_000_000, longitude: 23_000_000)
    )
    #expect(coarse.description?.rating == nil)
    // A place that nobody understands is in no stripped file.
    facts.description = nil
    #expect(!facts.publishable(under: StripOptions(except: [.location])).hasLocation)
    let camera = facts.publishable(under: StripOptions(except: [.camera]))
    #expect(camera.camera == "C" && camera.lensModel == nil)
  }
}
