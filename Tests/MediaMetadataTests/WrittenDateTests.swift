import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("Dates in words, and comments of any encoding")
struct WrittenDateTests {
  /// A date as a text: its local time and its offset.
  private func text(_ date: CaptureDate?) -> String? {
    date.map { $0.local + ($0.offsetMinutes.map { " \($0)" } ?? "") }
  }

  @Test(
    "A date that cameras and programs write for people is read, as exiftool reads it",
    arguments: [
      // Canon, Nikon and others in IDIT.
      ("SAT JUL 05 10:15:30 2008\n", "2008-07-05T10:15:30"),
      ("Sat Jul  5 10:15:30 2008", "2008-07-05T10:15:30"),
      // Casio and Konica.
      ("2001/ 1/27  1:42PM", "2001-01-27T13:42:00"), ("2005/11/28/ 09:19", "2005-11-28T09:19:00"),
      ("2002-12-16  15:35:01\0\0", "2002-12-16T15:35:01"), ("2008/07/05 10:15:30", "2008-07-05T10:15:30"),
      // Exif's shape, ISO's, and days alone.
      ("2008:07:05 10:15:30", "2008-07-05T10:15:30"), ("2008-07-05T10:15:30Z", "2008-07-05T10:15:30 0"),
      ("2008-07-05 10:15:30.125", "2008-07-05T10:15:30"),
      ("2008-07-05 10:15:30 +0200", "2008-07-05T10:15:30 120"),
      ("2008:07:05 10:15:30 -07:00", "2008-07-05T10:15:30 -420"), ("2008-07-05", "2008-07-05"),
      ("20080705", "2008-07-05"), ("5 July 2008", "2008-07-05"), ("Jul 5, 2008", "2008-07-05"),
      // PNG: RFC 1123, RFC 822, date(1), and other orders.
      ("Sat, 05 Jul 2008 10:15:30 GMT", "2008-07-05T10:15:30 0"),
      ("Sat, 05 Jul 2008 10:15:30 +0200", "2008-07-05T10:15:30 120"),
      ("5 Jul 08 10:15 EST", "2008-07-05T10:15:00 -300"), ("05-Jul-2008 10:15:30", "2008-07-05T10:15:30"),
      ("Sat Jul  5 10:15:30 CEST 2008", "2008-07-05T10:15:30"),
      ("Sat 05 Jul 2008 12:15:30 AM UTC", "2008-07-05T00:15:30 0"),
      ("Jul 5, 2008 1:15 PM", "2008-07-05T13:15:00"), ("2008-07-05 01:15:30 PM", "2008-07-05T13:15:30"),
      ("2008-07-05 10:15:30 UTC", "2008-07-05T10:15:30 0"),
      ("2008-07-05 10:15:30 GMT", "2008-07-05T10:15:30 0"),
      ("Sat Dec 31 23:59:60 2016", "2016-12-31T23:59:59"),
    ]
  )
  func read(written: String, expected: String) {
    let dates = WrittenDate.dates(written, tag: "IDIT")
    #expect(dates.count == 1 && text(dates.first) == expected, "\(dates)")
    #expect(dates.first?.tag == "IDIT")
  }

  @Test(
    "What could be two days, or is no date, is none",
    arguments: [
      "", "07/08/2008", "05.07.2008 10:15:30", "Jul 05 08 10:15:30", "mar. 5 juil. 2008", "mar 8 jan 2008",
      "Jul 2008",
      "0000:00:00 00:00:00", "Adobe 2008", "10:15:30", "Sat Jul", "1234567890123 Jul 2008", "July 5 of 2008",
      "Sat Jul 05 10:15:30:45 2008 Jul 6", "99999999999999999999:1 Jul 5 2008",
    ]
  )
  func none(written: String) {
    #expect(WrittenDate.dates(written, tag: "IDIT").isEmpty)
  }

  @Test("A day or a time that does not exist is told as impossible")
  func impossible() {
    #expect(WrittenDate.dates("Sat Feb 30 10:15:30 2008", tag: "a") == [.impossible(tag: "a")])
    let dates = WrittenDate.dates("Sat Jul 05 25:15:30 2008", tag: "a")
    #expect(dates.map(\.local) == ["2008-07-05", CaptureDate.impossible(tag: "a").local])
  }

  private static let undefined = [UInt8](repeating: 0, count: 8)
  private static let ascii = Array("ASCII\0\0\0".utf8)
  private static let unicode = Array("UNICODE\0".utf8)
  private static let jis = Array("JIS\0\0\0\0\0".utf8)

  private static func wide(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBig ? [high, low] : [low, high]
    }
  }

  @Test("UserComment is read in the encodings that programs write, and never garbled")
  func comments() {
    func read(_ bytes: [UInt8], _ order: ByteOrder = .little) -> String? {
      UserComment.text(bytes, order: order)
    }
    for name in [Self.ascii, Self.undefined, Self.jis, Array("ASCII   ".utf8), Array("        ".utf8)] {
      #expect(read(name + "A walk  \0".utf8) == "A walk")
      #expect(read(name + "Größe 日本".utf8) == "Größe 日本")
      // Latin-1; Shift-JIS, EUC-JP and JIS have no reader.
      #expect(read(name + [0x43, 0x61, 0x66, 0xE9]) == "Café")
      #expect(read(name + [0x47, 0x72, 0xF6, 0xDF, 0x65]) == "Größe")
      #expect(read(name + [0x93, 0xFA, 0x96, 0x7B]) == nil)
      #expect(read(name + [0xC6, 0xFC, 0xCB, 0xDC]) == nil)
      #expect(read(name + [0x1B, 0x24, 0x42, 0x46, 0x7C]) == nil)
      #expect(read(name) == nil && read(name + [UInt8](repeating: 0x20, count: 256)) == nil)
    }
    for text in ["A walk", "Größe", "Прогулка по городу", "日本語のコメント", "😀 walk"] {
      for isBig in [false, true] {
        let bytes = Self.unicode + Self.wide(text, isBig: isBig)
        for order in [ByteOrder.big, .little] { #expect(read(bytes, order) == text, "\(text) \(isBig)") }
        let mark = Self.unicode + Self.wide("\u{FEFF}" + text, isBig: isBig)
        #expect(read(mark + [0, 0]) == text)
      }
    }
    #expect(read(Self.unicode + "A longer walk".utf8) == "A longer walk")
    // Half a pair.
    #expect(read(Self.unicode + [0xD8, 0x3D] + Self.wide("A walk", isBig: true)) == nil)
    #expect(read(Self.undefined + [0x41, 0x42, 1, 2, 0x43]) == nil)
    // Without a name; too short for one; what programs write.
    #expect(read(Array("Walking home".utf8)) == "Walking home" && read(Array("Hi".utf8)) == "Hi")
    #expect(read([]) == nil && read(Self.ascii + "Screenshot".utf8) == nil)
    #expect(read(Self.ascii + #"{"mirror":false}"#.utf8) == nil)
    let settings = "filter: 0; algolist: 0;\nmulti-frame: 1;\nbrp_del_th:0.0000,0.0000;\ntouch: (-1, 0);"
    #expect(read(Self.ascii + settings.utf8) == nil)
    let people = "left: Ann; right: Bob; behind them: the lake; below"
    #expect(read(Self.ascii + people.utf8) == people)
    for seed in 0..<512 {
      let bytes = (0..<(seed % 40)).map { UInt8(truncatingIfNeeded: ($0 &+ 3) &* (seed &* 97 &+ 31) >> 3) }
      _ = read(Self.unicode + bytes)
      _ = read(bytes, .big)
    }
  }

  @Test(
    "An AVI has the date of IDIT before that of INFO, and of Matroska the recording before the digitizing"
  )
  func films() {
    let information = TinyAVI.list("INFO", riffChunk("ICRD", Array("2010-01-02 03:04:05\0".utf8)))
    let header = riffChunk("IDIT", Array("SAT JUL 05 10:15:30 2008\n\0".utf8))
    withSource(TinyAVI.file(headers: header, others: information)) { source in
      let (values, description) = AVIMetadata.described(in: source)
      #expect(values.creationDate?.local == "2008-07-05T10:15:30")
      #expect(description.dates.map(\.tag) == ["IDIT", "ICRD"])
    }
    withSource(TinyAVI.file(others: information)) { source in
      #expect(AVIMetadata.described(in: source).values.creationDate?.local == "2010-01-02T03:04:05")
    }
    let year = TinyAVI.list("INFO", riffChunk("ICRD", Array("2010\0".utf8)))
    withSource(TinyAVI.file(others: year)) { source in
      #expect(AVIMetadata.described(in: source).values.creationDate?.local == "2010")
    }
    let clock = TinyMatroska.information(TinyMatroska.element(0x4461, [UInt8](repeating: 1, count: 8)))
    func tag(_ name: String, _ date: String) -> [UInt8] { TinyMatroska.tag(name, Array(date.utf8)) }
    let tags =
      tag("DATE_DIGITIZED", "2020-01-02 03:04:05") + tag("DATE_RECORDED", "1978-06-07 08:09:10.250")
      + tag("CREATION_TIME", "2021-01-02T03:04:05Z")
    withSource(TinyMatroska.file(information: clock, others: tags)) { source in
      let (values, description) = MatroskaValues.described(in: source)
      #expect(values.creationDate?.local == "1978-06-07T08:09:10")
      #expect(
        description.dates.map(\.tag) == ["DATE_RECORDED", "DATE_DIGITIZED", "CREATION_TIME", "DateUTC"]
      )
    }
  }
}
