import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What an Exif block says")
struct ExifTests {
  @Test("An orientation of 1 to 8 counts, everything else is 1", arguments: 0...10)
  func orientation(value: Int) throws {
    let expected = (1...8).contains(value) ? value : 1
    for entry in [TinyTIFF.Entry.short(0x0112, value), .long(0x0112, value)] {
      #expect(try facts(of: jpeg(exif: TinyTIFF.block([entry]))).orientation == expected)
    }
  }

  @Test("A rating is one in stars, else one in percent, of a signed number too")
  func ratings() throws {
    let signed = TinyTIFF.Entry(tag: 0x4746, type: 9, count: 1, value: big(4))
    let negative = TinyTIFF.Entry(tag: 0x4746, type: 9, count: 1, value: [0xFF, 0xFF, 0xFF, 0xFF])
    let short = TinyTIFF.Entry(tag: 0x4746, type: 8, count: 1, value: big(3, 2))
    for (entries, stars) in [
      ([.short(0x4746, 4), .short(0x4749, 99)], 4), ([.short(0x4749, 75)], 4), ([.short(0x4749, 1)], 1),
      ([.short(0x4749, 101)], nil), ([signed], 4), ([negative], nil), ([short], 3),
    ] as [([TinyTIFF.Entry], Int?)] {
      let block = TinyTIFF.block(entries)
      let tiff = try #require(TIFFBlock(ByteSource(block), 0..<block.count))
      #expect(ExifHandle(tiff).values.rating == stars, "\(entries)")
    }
  }

  @Test(
    "The first of the three dates that is a date counts, with its own offset",
    arguments: [
      ("2026:11:21 10:20:30", "2025:01:01 00:00:00", "2024:01:01 00:00:00", "DateTimeOriginal", 60),
      (
        "0000:00:00 00:00:00", "2025:01:01 00:00:00", "2024:01:01 00:00:00", "DateTimeDigitized",
        120
      ),
      ("2026:13:01 00:00:00", "    :  :     :  :  ", "2024:01:01 00:00:00", "DateTime", 180),
      ("2026:02:29 00:00:00", "", "0000:00:00 00:00:00", nil, nil),
    ]
  )
  func dates(
    original: String,
    digitized: String,
    modified: String,
    tag: String?,
    offset: Int?
  ) throws {
    let block = TinyTIFF.block(
      [.text(0x0132, modified)],
      exif: [
        .text(0x9003, original), .text(0x9004, digitized), .text(0x9010, "+03:00"),
        .text(0x9011, "+01:00"), .text(0x9012, "+02:00"),
      ]
    )
    let date = try facts(of: jpeg(exif: block)).creationDate
    #expect(date?.tag == tag)
    #expect(date?.offsetMinutes == offset)
  }

  @Test(
    "A date is kept as written, and only when each field is in its range",
    arguments: [
      ("2026:11:21 10:20:30", "2026-11-21T10:20:30"),
      ("2024:02:29 23:59:59", "2024-02-29T23:59:59"),
      ("2023-02-28T00:00:00", "2023-02-28T00:00:00"), ("2023:02:29 00:00:00", nil),
      ("1900:02:29 00:00:00", nil), ("2000:02:29 00:00:00", "2000-02-29T00:00:00"),
      ("2026:04:31 00:00:00", nil), ("2026:00:10 00:00:00", nil), ("2026:01:00 00:00:00", nil),
      ("2026:01:01 24:00:00", nil), ("2026:01:01 00:60:00", nil), ("2026:01:01 00:00:61", nil),
      ("2026:01:01 00:00:60", "2026-01-01T00:00:59"),
      ("2026:01:01", nil), ("2026:1:01 00:00:000", nil), ("20x6:01:01 00:00:00", nil),
      ("0000:01:01 00:00:00", nil),
    ]
  )
  func localDate(text: String, expected: String?) {
    #expect(DateText.local(exif: Array(text.utf8)) == expected)
  }

  @Test(
    "An Exif date of another shape is what it says; one that cannot be is marked, not dropped",
    arguments: [
      ("2024:01:20 11:26:09", ["2024-01-20T11:26:09"]), ("2024:01:20", ["2024-01-20"]),
      ("2024:01:20 ", ["2024-01-20"]), ("2024-01-20T11:26:09+02:00", ["2024-01-20T11:26:09"]),
      ("2024:01:20   :  :  ", ["2024-01-20"]), ("2024:01:20 11:26", ["2024-01-20T11:26:00"]),
      ("2024:1:20 11:26:09", ["2024-01-20T11:26:09"]), ("2024:1:2 9:6:5", ["2024-01-02T09:06:05"]),
      ("2024:01:20 11:26:60", ["2024-01-20T11:26:59"]),
      ("2024:01:20 01:26:09 PM", ["2024-01-20T13:26:09"]),
      ("2024:01:20 01:26:09pm", ["2024-01-20T13:26:09"]),
      ("2024:01:20 01:26 PM", ["2024-01-20T13:26:00"]),
      ("2024:01:20 12:26:09 AM", ["2024-01-20T00:26:09"]),
      ("2024:01:20 12:26:09 PM", ["2024-01-20T12:26:09"]),
      ("2024:01:20 13:26:09 PM", ["2024-01-20T13:26:09"]),
      ("2024:01:20 13:26:09 AM", ["2024-01-20", "0000-01-01"]),
      ("2024:01:20 24:00:00", ["2024-01-20", "0000-01-01"]),
      ("2024:01:20 11:26:61", ["2024-01-20", "0000-01-01"]),
      ("2024:02:30 10:00:00", ["0000-01-01"]), ("2024:00:00 00:00:00", ["2024"]),
      ("1978:06:00 00:00:00", ["1978-06"]), ("1978:  :     :  :  ", ["1978"]),
      ("1978:06:     :  :  ", ["1978-06"]),
      ("1978", ["1978"]), ("1978-06", ["1978-06"]), ("1978  ", ["1978"]),
      ("1978:06:05   :15:30", ["1978-06-05"]),
      ("2017: 4:22  3: 0:22", ["2017-04-22T03:00:22"]), (" 2017:04:22 03:00:22  ", ["2017-04-22T03:00:22"]),
      ("2017:04:22 03:00:  ", ["2017-04-22T03:00:00"]), ("1978:00:05", ["0000-01-01"]),
      ("1978:13", ["0000-01-01"]),
      ("1978 Sep", []), ("197", []), ("19780605", []),
      ("0000:00:00 00:00:00", []), ("    :  :     :  :  ", []), ("", []), ("20240120", []),
      ("2024:01:200", []), ("Sat Jan 20 2024", []),
    ] as [(String, [String])]
  )
  func shapes(text: String, expected: [String]) throws {
    let file = jpeg(exif: TinyTIFF.block([], exif: [.text(0x9003, text)]))
    let described = withSource(file) { MetadataReader.description(of: $0, format: .jpeg) }
    #expect(described.dates.map(\.local) == expected)
    #expect(described.dates.allSatisfy { $0.tag == "DateTimeOriginal" })
    // What strip may write anew can be.
    let stated = try facts(of: file).creationDate
    #expect(stated?.local == expected.first { $0 != "0000-01-01" })
  }

  @Test(
    "An offset and a fraction of a second inside the text are read, and without seconds it says so",
    arguments: [
      ("2017:04:22 03:00:22+02:00", "2017-04-22T03:00:22+02:00"),
      ("2017:04:22 03:00:22 -0330", "2017-04-22T03:00:22-03:30"),
      ("2017:04:22 03:00:22Z", "2017-04-22T03:00:22+00:00"),
      ("2017:04:22 03:00:22.0470+02:00", "2017-04-22T03:00:22.047+02:00"),
      ("2017:04:22 03:00:22,9", "2017-04-22T03:00:22.9"),
      ("2017:04:22 03:00+02:00", "2017-04-22T03:00+02:00"),
      ("2017:04:22 03:00:22.1234567891", "2017-04-22T03:00:22.123456789"),
      ("2017:04:22 03:00:22.", "2017-04-22T03:00:22"),
    ]
  )
  func parts(text: String, expected: String) throws {
    #expect(DateText.dates(exif: Array(text.utf8), tag: "").map(\.text) == [expected])
    let xmp = text.replacing(":", with: "-", maxReplacements: 2).replacing(" ", with: "T", maxReplacements: 1)
    #expect(DateText.date(xmp, tag: "")?.text == expected || text.contains(" -") || text.contains(","))
  }

  @Test("A date is written with spaces for what is not known, and read as what it was")
  func blanks() {
    for (date, text) in [
      ("1978", "1978:  :     :  :  "), ("1978-06", "1978:06:     :  :  "),
      ("1978-06-05", "1978:06:05   :  :  "),
      ("1978-06-05T10:15:30", "1978:06:05 10:15:30"),
    ] {
      let date = CaptureDate(local: date, offsetMinutes: nil, tag: "")
      #expect(DateText.exif(date) == text)
      #expect(DateText.dates(exif: Array(text.utf8), tag: "") == [date])
    }
    var minute = CaptureDate(local: "1978-06-05T10:15:00", offsetMinutes: nil, tag: "")
    minute.hasSeconds = false
    #expect(DateText.exif(minute) == "1978:06:05 10:15:  ")
    #expect(DateText.dates(exif: Array("1978:06:05 10:15:  ".utf8), tag: "") == [minute])
  }

  @Test(
    "IPTC's date and time are read as programs write them, and zeros are a month or a day that is not known",
    arguments: [
      ("20170422", "074507", "2017-04-22T07:45:07"), ("20170422", "07:45:07", "2017-04-22T07:45:07"),
      ("2017-04-22", "07:45:07+02:00", "2017-04-22T07:45:07+02:00"),
      ("20170422", "074507-0330", "2017-04-22T07:45:07-03:30"),
      ("20170422", "07:45", "2017-04-22T07:45"), ("20170422", "074507+0000", "2017-04-22T07:45:07"),
      ("20170422", "25:45:07", "2017-04-22"), ("20170422", "", "2017-04-22"), ("19780000", "074507", "1978"),
      ("19780600", "", "1978-06"), ("1978", "", "1978"), ("00000000", "074507", nil), ("19780005", "", nil),
      ("20170230", "", nil),
    ] as [(String, String, String?)]
  )
  func iptc(date: String, time: String, expected: String?) {
    func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    var metadata = FoundMetadata(describing: true)
    metadata.takeIPTC(dataset(55, date) + (time.isEmpty ? [] : dataset(60, time)))
    #expect(metadata.description?.dates.map(\.text) == (expected.map { [$0] } ?? []))
  }

  @Test("A day alone has no offset, though the file states one for its time")
  func dayWithoutOffset() {
    let block = TinyTIFF.block([], exif: [.text(0x9003, "2024:01:20"), .text(0x9011, "+01:00")])
    let described = withSource(jpeg(exif: block)) {
      MetadataReader.description(of: $0, format: .jpeg)
    }
    let day = CaptureDate(local: "2024-01-20", offsetMinutes: nil, tag: "DateTimeOriginal")
    #expect(described.dates == [day])
  }

  @Test(
    "An offset is minutes east of UTC",
    arguments: [
      ("+02:00", 120), ("-03:30", -210), ("+0545", 345), ("Z", 0), ("+01:00 ", 60), ("-08", -480),
      ("+15:00", 900), ("+16:00", nil), ("+01:60", nil), ("02:00", nil), ("", nil), ("+", nil),
      ("   :  ", nil),
    ]
  )
  func offset(text: String, expected: Int?) {
    #expect(DateText.offsetMinutes(Array(text.utf8)[...]) == expected)
  }

  @Test(
    "Seconds since 1970 become the same date that anybody else makes of them",
    arguments: [
      (1, "1970-01-01T00:00:01"), (951_782_400, "2000-02-29T00:00:00"),
      (951_868_799, "2000-02-29T23:59:59"), (1_709_251_199, "2024-02-29T23:59:59"),
      (4_107_542_400, "2100-03-01T00:00:00"), (253_402_300_799, "9999-12-31T23:59:59"),
      (253_402_300_800, nil), (0, nil), (-1, "1969-12-31T23:59:59"),
      (-631_152_000, "1950-01-01T00:00:00"), (-4_544_208_000, "1826-01-01T00:00:00"),
      (-62_135_596_800, "0001-01-01T00:00:00"), (-62_135_596_801, nil), (.min, nil), (.max, nil),
    ]
  )
  func seconds(value: Int, expected: String?) {
    #expect(DateText.local(secondsSince1970: value) == expected)
  }

  @Test(
    "Make and model are one text, without control characters, of at most 200 bytes",
    arguments: [
      ("Canon", "Canon EOS 5D", "Canon EOS 5D"), ("NIKON", "D850", "NIKON D850"),
      ("Apple\u{1B}[31m", "iPhone\n 8", "Apple[31m iPhone 8"), ("", "X", "X"), ("Y", "", "Y"),
      (" SONY  ", "ILCE", "SONY ILCE"), ("A\u{202E}B", "", "AB"),
    ]
  )
  func camera(make: String, model: String, expected: String) throws {
    let block = TinyTIFF.block([.text(0x010F, make), .text(0x0110, model)])
    #expect(try facts(of: jpeg(exif: block)).camera == expected)
  }

  @Test("A long camera name is cut at a character")
  func longCamera() throws {
    let block = TinyTIFF.block([.text(0x0110, String(repeating: "é", count: 3000))])
    let camera = try facts(of: jpeg(exif: block)).camera
    #expect(camera?.utf8.count == 200)
    #expect(camera?.allSatisfy { $0 == "é" } == true)
  }

  @Test("A latitude or a longitude is a location, an empty GPS directory is none")
  func location() throws {
    let model = TinyTIFF.Entry.text(0x0110, "X")
    for entries in [[TinyTIFF.Entry.degrees(2)], [.degrees(4)], [.degrees(2), .degrees(4)]] {
      #expect(try statesPlace(jpeg(exif: TinyTIFF.block([model], location: entries))))
    }
    for entries in [[], [TinyTIFF.Entry.text(1, "N")], [.text(29, "2026:01:01")]] {
      #expect(try !statesPlace(jpeg(exif: TinyTIFF.block([model], location: entries))))
    }
  }

  @Test(
    "Coordinates of a camera without a fix are no location, and nothing of them is written",
    arguments: [
      ([0, 1, 0, 1, 0, 1], "N", "E"), ([0, 1000, 0, 1000, 0, 1000], "S", "W"),
      ([0, 0, 0, 0, 0, 0], "N", "E"), ([0, 1, 0, 0, 0, 0], "S", "E"),
    ] as [([Int], String, String)]
  )
  func nowhere(fractions: [Int], north: String, east: String) throws {
    let degrees = { (tag: Int, values: [Int]) in
      TinyTIFF.Entry(tag: tag, type: 5, count: 3, value: values.flatMap { big($0) })
    }
    let file = { (longitude: [Int]) in
      jpeg(
        exif: TinyTIFF.block(
          [.text(0x0110, "X")],
          location: [
            .text(1, north), degrees(2, fractions), .text(3, east), degrees(4, longitude),
          ]
        )
      )
    }
    let zero = file(fractions)
    #expect(try !statesPlace(zero))
    #expect(withSource(zero) { MetadataReader.description(of: $0, format: .jpeg) }.place == nil)
    let (output, _) = try strip(zero, .jpeg, StripOptions(except: [.location]))
    #expect(try output == strip(zero, .jpeg).output)
    // A place on the equator is one, if the latitude is known.
    let equator = file([9, 1, 30, 1, 0, 1])
    #expect(try statesPlace(equator))
    let place = withSource(equator) { MetadataReader.description(of: $0, format: .jpeg) }.place
    #expect((place != nil) == (fractions[1] != 0))
    #expect(place?.latitude ?? 0 == 0)
  }

  @Test("A directory that contains itself, and two that share their bytes, end")
  func loops() throws {
    for offset in [8, 9, 14, 20, 0xFFFF_FFFF, 0, 7] {
      let block = TinyTIFF.block([
        .text(0x0110, "Loop"), .long(0x8769, offset), .long(0x8825, offset),
      ])
      #expect(try facts(of: jpeg(exif: block)).camera == "Loop")
    }
  }

  @Test("A directory whose entries all point to the same megabyte costs one walk")
  func sameMegabyte() throws {
    let count = 4096
    var block = Array("MM".utf8) + [0, 42] + big(8) + big(count, 2)
    for _ in 0..<count {
      block += big(0x010E, 2) + big(2, 2) + big(900_000) + big(60_000)
    }
    block += [UInt8](repeating: 0x41, count: 1 << 20 - block.count)
    var webp = Array("EXIF".utf8) + little(block.count) + block
    webp = Array("WEBPVP8X".utf8) + little(10) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0] + webp
    webp = Array("RIFF".utf8) + little(webp.count) + webp
    var webpFacts: Facts?
    let seconds = try processorSeconds { webpFacts = try facts(of: webp) }
    #expect(webpFacts?.pixelSize == PixelSize(width: 1, height: 1))
    #expect(seconds < 2)
  }

  @Test("An Exif block that ends early gives what is there", arguments: 0...120)
  func cut(length: Int) throws {
    let block = TinyTIFF.block(
      [.short(0x0112, 6), .text(0x0110, "Some camera")],
      exif: [.text(0x9003, "2026:01:02 03:04:05")]
    )
    let facts = try facts(of: jpeg(exif: Array(block.prefix(length))))
    #expect(facts.pixelSize == PixelSize(width: 8, height: 8))
    if length >= 22 { #expect(facts.orientation == 6) }
  }

  @Test("libexif adds nothing to what it is given, and a block without dates has none")
  func nothingAdded() throws {
    // With EXIF_DATA_OPTION_FOLLOW_SPECIFICATION it would.
    let facts = try facts(of: jpeg(exif: TinyTIFF.block([.text(0x010E, "about")], exif: [])))
    #expect(facts.creationDate == nil)
    #expect(facts.camera == nil)
    #expect(facts.orientation == 1)
  }

  @Test(
    "Apple's content identifier is read from its maker note, and only if it is one",
    arguments: [
      ("71DCA213-5710-4A6C-BC6D-CE6306AEB8D8", true), ("bad value", false), ("", false),
    ]
  )
  func contentIdentifier(text: String, isValid: Bool) throws {
    let value = Array(text.utf8) + [0]
    var note = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + big(1, 2)
    note += big(0x0011, 2) + big(2, 2) + big(value.count) + big(32) + [0, 0, 0, 0] + value
    let block = TinyTIFF.block(
      [.text(0x010F, "Apple")],
      exif: [TinyTIFF.Entry(tag: 0x927C, type: 7, count: note.count, value: note)]
    )
    #expect(try facts(of: jpeg(exif: block)).contentIdentifier == (isValid ? text : nil))
  }

  @Test(
    "HEIF's turns and mirrors amount to EXIF's eight orientations",
    arguments: [
      ([], 1), ([("irot", 1)], 8), ([("irot", 2)], 3), ([("irot", 3)], 6), ([("imir", 1)], 2),
      ([("imir", 0)], 4), ([("irot", 1), ("imir", 1)], 7), ([("irot", 3), ("imir", 1)], 5),
      ([("irot", 1), ("imir", 0)], 5), ([("irot", 2), ("imir", 0)], 2),
      ([("imir", 1), ("irot", 1)], 5),
    ]
  )
  func turns(steps: [(String, Int)], expected: Int) {
    var turn = Turn()
    for (kind, value) in steps {
      if kind == "irot" {
        turn.rotate(clockwise: 4 - value)
      } else {
        turn.mirror(leftRight: value == 1)
      }
    }
    #expect(turn.orientation == expected)
  }
}
