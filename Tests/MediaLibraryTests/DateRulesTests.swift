import MediaModel
import Testing

@testable import MediaLibrary

@Suite("The rules for dates")
struct DateRulesTests {
  /// 2026-01-01T00:00:00Z.
  private static let saved: Int64 = 1_767_225_600_000_000
  /// 2020-05-05T12:00:00Z.
  private static let modified: Int64 = 1_588_680_000_000_000_000

  /// Central Europe of today, by the rule alone: a file of the database of version 2, without what version 1 has.
  private static let berlin: LocalTimeZone? = {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let head = Array("TZif2".utf8) + zeros(15)
    let counts = zeros(16) + [0, 0, 0, 1, 0, 0, 0, 4]
    let type: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0]
    let names = Array("LMT\0\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    return LocalTimeZone(name: "Europe/Berlin", head + zeros(24) + head + counts + type + names)
  }()

  /// The dates that a file states, written shortly, and the one that the rules choose.
  struct Case: Sendable, CustomTestStringConvertible {
    var own: [String]
    var location: String?
    var sidecar: [String] = []
    var duration: Int?
    var name = "IMG_0001.JPG"
    var rules: DateRules = DateRules([.fromName])
    /// The date with its offset in minutes and its tag.
    var chosen: String?
    var isReported = false

    var testDescription: String { "\(own) \(location ?? "-") \(name) -> \(chosen ?? "none")" }
  }

  static let cases: [Case] = [
    // A date with its offset, in summer and in winter.
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30+120"],
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-01-04T10:15:30+60"],
      chosen: "2019-01-04T10:15:30+60 DateTimeOriginal"
    ),
    Case(
      own: [
        "com.apple.quicktime.creationdate 2019-07-04T10:15:30+120", "mvhd 2019-07-04T08:15:30+0",
      ],
      chosen: "2019-07-04T10:15:30+120 com.apple.quicktime.creationdate"
    ),
    // QuickTime's header is UTC, and counts only when nothing else is there.
    Case(own: ["mvhd 2019-07-04T08:15:30+0"], chosen: "2019-07-04T08:15:30+0 mvhd"),
    Case(
      own: ["mvhd 2019-07-04T08:15:30+0", "©day 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 ©day"
    ),
    Case(
      own: ["mvhd 2019-07-04T10:15:30+0", "©day 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 ©day"
    ),
    Case(own: ["mvhd 2019-07-04T10:15:31+0", "©day 2019-07-04"], chosen: "2019-07-04T10:15:31+0 mvhd"),
    // A year or a month alone rules out a date beside it, and takes one within it, also of sidecar and name.
    Case(
      own: ["photoshop:DateCreated 1978", "xmp:CreateDate 2019-05-05T10:11:12"],
      chosen: "1978 photoshop:DateCreated"
    ),
    Case(
      own: ["photoshop:DateCreated 2019", "xmp:CreateDate 2019-05-05T10:11:12"],
      chosen: "2019-05-05T10:11:12 xmp:CreateDate"
    ),
    Case(
      own: ["DateTimeOriginal 1978", "IPTC:DateCreated 1978-06", "DateTime 2019-05-05T10:11:12+60"],
      chosen: "1978-06 IPTC:DateCreated"
    ),
    // Of a scan, a sidecar tells it.
    Case(
      own: ["DateTimeDigitized 2019-05-05T10:11:12"],
      sidecar: ["photoshop:DateCreated 1978"],
      chosen: "1978 sidecar:photoshop:DateCreated"
    ),
    Case(
      own: ["xmp:CreateDate 2019-05-05T10:11:12"],
      sidecar: ["exif:DateTimeOriginal 1978-06"],
      name: "19780605_101530.jpg",
      chosen: "1978-06 sidecar:exif:DateTimeOriginal"
    ),
    Case(
      own: ["xmp:CreateDate 2019-05-05T10:11:12"],
      sidecar: ["exif:DateTimeOriginal 1999"],
      name: "19990704_101530.jpg",
      chosen: "1999-07-04T10:15:30 fileName"
    ),
    Case(
      own: ["DateTimeDigitized 2019-05-05T10:11:12"],
      sidecar: ["photoshop:DateCreated 2019-05"],
      chosen: "2019-05-05T10:11:12 DateTimeDigitized"
    ),
    Case(
      own: ["DateTimeOriginal 2019-05-05T10:11:12"],
      sidecar: ["photoshop:DateCreated 1978"],
      chosen: "2019-05-05T10:11:12 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 1978"],
      sidecar: ["photoshop:DateCreated 1979", "exif:DateTimeOriginal 1978-06-05"],
      chosen: "1978-06-05 sidecar:exif:DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2019-07-04T10:15:30 fileName"
    ),
    Case(own: ["DateTimeOriginal 1978"], name: "IMG_20190704_101530.jpg", chosen: "1978 DateTimeOriginal"),
    Case(
      own: [],
      sidecar: ["photoshop:DateCreated 2019"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2019-07-04T10:15:30 fileName"
    ),
    Case(own: ["DateTimeOriginal 1825"], isReported: true),
    Case(own: ["DateTimeOriginal 1826"], chosen: "1826 DateTimeOriginal"),
    Case(own: ["DateTimeOriginal 2027-06"], isReported: true),
    // Capture before digitizing before writing; then an offset counts.
    Case(
      own: ["DateTime 2020-01-01T00:00:00+60", "DateTimeOriginal 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    Case(
      own: ["DateTime 2020-01-01T00:00:00", "DateTimeDigitized 2019-07-05T10:15:30"],
      chosen: "2019-07-05T10:15:30 DateTimeDigitized"
    ),
    Case(
      own: ["CREATION_TIME 2021-01-01T00:00:00+0", "DATE_DIGITIZED 2020-01-01T00:00:00"],
      chosen: "2020-01-01T00:00:00 DATE_DIGITIZED"
    ),
    Case(
      own: ["DATE_DIGITIZED 2020-01-01T00:00:00", "DATE_RECORDED 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 DATE_RECORDED"
    ),
    Case(own: ["DateTime 2020-01-01T00:00:00"], chosen: "2020-01-01T00:00:00 DateTime"),
    Case(
      own: ["xmp:CreateDate 2020-01-01T00:00:00+60", "photoshop:DateCreated 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 photoshop:DateCreated"
    ),
    Case(
      own: [
        "DateTimeOriginal 2019-07-04T10:15:30", "photoshop:DateCreated 2019-07-04T10:15:31+120",
      ],
      chosen: "2019-07-04T10:15:31+120 photoshop:DateCreated"
    ),
    // An offset that another date of the same local time has.
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "IPTC:DateCreated 2019-07-04T10:15:30+120"],
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+IPTC:DateCreated"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "DateTimeDigitized 2019-07-04T10:15:30+120"],
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+DateTimeDigitized"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "DateTimeDigitized 2019-07-04T10:15:31+120"],
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    // Also one of when the file was written, but not the UTC of a header.
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "DateTime 2019-07-04T10:15:30+120"],
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+DateTime"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "DateTime 2019-07-05T10:15:30+120"],
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30", "DateUTC 2019-07-04T10:15:30+0"],
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    // An offset that the GPS time implies, rounded to a quarter of an hour.
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T08:15:28",
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2019-01-04T10:15:30"],
      location: "2019-01-04T09:13:28",
      chosen: "2019-01-04T10:15:30+60 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T00:15:30"],
      location: "2019-07-03T18:45:29",
      chosen: "2019-07-04T00:15:30+330 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T04:30:28",
      chosen: "2019-07-04T10:15:30+345 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T17:15:30",
      chosen: "2019-07-04T10:15:30-420 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T10:14:30",
      chosen: "2019-07-04T10:15:30+0 DateTimeOriginal+GPSTimeStamp"
    ),
    // No zone has this offset, the fix is too old, or the clock was wrong.
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T09:00:30",
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T08:08:30",
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2018-07-04T08:15:30",
      chosen: "2019-07-04T10:15:30 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30+180"],
      location: "2019-07-04T08:15:30",
      chosen: "2019-07-04T10:15:30+180 DateTimeOriginal"
    ),
    // A GPS time alone is no date.
    Case(own: [], location: "2019-07-04T08:15:30", chosen: nil),
    // A day alone stays one, unless the time of that day is known.
    Case(own: ["IPTC:DateCreated 2019-07-04"], chosen: "2019-07-04 IPTC:DateCreated"),
    Case(
      own: ["IPTC:DateCreated 2019-07-04"],
      location: "2019-07-04T08:15:30",
      chosen: "2019-07-04 IPTC:DateCreated"
    ),
    Case(
      own: ["IPTC:DateCreated 2019-07-04", "DateTimeOriginal 2019-07-05T10:00:00"],
      chosen: "2019-07-05T10:00:00 DateTimeOriginal"
    ),
    Case(
      own: ["photoshop:DateCreated 2019-07-04", "DateTime 2019-07-04T10:00:00"],
      chosen: "2019-07-04T10:00:00 DateTime"
    ),
    Case(
      own: ["photoshop:DateCreated 2019-07-04", "DateTime 2020-07-04T10:00:00"],
      chosen: "2019-07-04 photoshop:DateCreated"
    ),
    // A header or a JSON in UTC, and a name that states the local time of the same moment.
    Case(
      own: ["mvhd 2024-01-20T10:26:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09+60 mvhd+fileName"
    ),
    Case(
      own: ["mvhd 2024-07-20T23:26:12+0"],
      name: "VID_20240721_012609.mp4",
      chosen: "2024-07-21T01:26:12+120 mvhd+fileName"
    ),
    Case(
      own: ["mvhd 2023-12-31T23:10:00+0"],
      name: "VID_20240101_044000.mp4",
      chosen: "2024-01-01T04:40:00+330 mvhd+fileName"
    ),
    Case(
      own: ["DateUTC 2024-01-20T17:26:09+0"],
      name: "20240120_112609.mkv",
      chosen: "2024-01-20T11:26:09-360 DateUTC+fileName"
    ),
    Case(
      own: ["mvhd 2024-01-20T11:26:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09+0 mvhd+fileName"
    ),
    Case(
      own: [],
      sidecar: ["photoTakenTime 2024-01-20T23:30:00+0"],
      name: "Screenshot_20240121-003000.png",
      chosen: "2024-01-21T00:30:00+60 sidecar:photoTakenTime+fileName"
    ),
    // The header has the end of the film.
    Case(
      own: ["mvhd 2024-01-20T10:46:09+0"],
      duration: 1_200_000,
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09+60 mvhd+fileName"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:30:19+0"],
      duration: 250_400,
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09+60 mvhd+fileName"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:26:11+0"],
      duration: 250_000,
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:11+60 mvhd+fileName"
    ),
    // Another moment, an offset that no zone has, a day alone, a name in UTC, and names that do not count.
    Case(
      own: ["mvhd 2024-01-20T10:32:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T10:32:09+0 mvhd"
    ),
    Case(
      own: ["mvhd 2024-01-19T10:26:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-19T10:26:09+0 mvhd"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:11:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T10:11:09+0 mvhd"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:26:09+0"],
      name: "VID-20240120-WA0001.mp4",
      chosen: "2024-01-20T10:26:09+0 mvhd"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:26:09+0"],
      name: "PXL_20240120_092609123.mp4",
      chosen: "2024-01-20T10:26:09+0 mvhd"
    ),
    Case(
      own: ["mvhd 2024-01-20T10:26:09+0"],
      name: "20240120_112609.mp4",
      rules: DateRules([]),
      chosen: "2024-01-20T10:26:09+0 mvhd"
    ),
    // A local time without an offset, and a name in UTC.
    Case(
      own: ["DateTimeOriginal 2024-01-20T11:26:09"],
      name: "PXL_20240120_102609123.jpg",
      chosen: "2024-01-20T11:26:09+60 DateTimeOriginal+fileName"
    ),
    Case(
      own: ["DateTimeOriginal 2024-01-20T11:26:09"],
      location: "2024-01-20T10:26:00",
      name: "PXL_20240120_102609123.jpg",
      chosen: "2024-01-20T11:26:09+60 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2024-01-20T11:26:09"],
      name: "20240120_112609.jpg",
      chosen: "2024-01-20T11:26:09 DateTimeOriginal"
    ),
    // The name comes after all that the file states.
    Case(own: [], name: "IMG_20190704_101530.jpg", chosen: "2019-07-04T10:15:30 fileName"),
    Case(
      own: ["DateTime 2020-01-02T11:30:00"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2020-01-02T11:30:00 DateTime"
    ),
    Case(own: [], name: "IMG-20190704-WA0003.jpg", chosen: "2019-07-04 fileName"),
    Case(own: [], name: "IMG_20190704_101530.jpg", rules: DateRules([]), chosen: nil),
    Case(own: [], chosen: nil),
    // The time of the last modification is taken only when it is asked for, last, and is UTC.
    Case(own: [], rules: DateRules([.fromModification]), chosen: "2020-05-05T12:00:00+0 fileModification"),
    Case(
      own: [],
      name: "IMG_20190704_101530.jpg",
      rules: DateRules([.fromModification]),
      chosen: "2020-05-05T12:00:00+0 fileModification"
    ),
    Case(
      own: [],
      name: "IMG_20190704_101530.jpg",
      rules: DateRules([.fromName, .fromModification]),
      chosen: "2019-07-04T10:15:30 fileName"
    ),
    // Before the oldest photograph, and in the future: reported and not used.
    Case(own: ["DateTimeOriginal 1825-12-31T23:59:59"], chosen: nil, isReported: true),
    Case(own: ["DateTimeOriginal 1826-01-01T00:00:00"], chosen: "1826-01-01T00:00:00 DateTimeOriginal"),
    Case(own: ["DateTimeOriginal 2026-01-01T23:00:00"], chosen: "2026-01-01T23:00:00 DateTimeOriginal"),
    Case(
      own: ["DateTimeOriginal 2026-01-02T10:00:00+720"],
      chosen: "2026-01-02T10:00:00+720 DateTimeOriginal"
    ),
    Case(own: ["DateTimeOriginal 2026-01-03T00:00:00"], chosen: nil, isReported: true),
    Case(
      own: ["DateTimeOriginal 9999-01-01T00:00:00", "DateTimeDigitized 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30 DateTimeDigitized",
      isReported: true
    ),
    Case(
      own: ["DateTimeOriginal 0001-01-01T00:00:00"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2019-07-04T10:15:30 fileName",
      isReported: true
    ),
    Case(own: [], name: "IMG_20990704_101530.jpg", chosen: nil, isReported: true),
    // A date that cannot be, alone, and one whose time cannot be, which leaves its day.
    Case(own: ["DateTimeOriginal 0000-01-01"], chosen: nil, isReported: true),
    Case(
      own: ["DateTimeOriginal 2019-07-04", "DateTimeOriginal 0000-01-01"],
      chosen: "2019-07-04 DateTimeOriginal",
      isReported: true
    ),
    Case(own: ["mvhd 1904-01-01T00:00:00+0"], chosen: "1904-01-01T00:00:00+0 mvhd"),
    Case(
      own: [],
      sidecar: ["photoTakenTime 1950-01-01T00:00:00+0"],
      chosen: "1950-01-01T00:00:00+0 sidecar:photoTakenTime"
    ),
    Case(own: [], sidecar: ["photoTakenTime 1825-12-31T23:59:59+0"], chosen: nil, isReported: true),
    // A person has corrected the camera's clock in a sidecar.
    Case(
      own: ["DateTimeOriginal 2002-01-01T00:00:00"],
      sidecar: ["exif:DateTimeOriginal 2019-07-04T10:15:30"],
      chosen: "2002-01-01T00:00:00 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2002-01-01T00:00:00+60"],
      location: "2019-07-04T08:15:20",
      sidecar: [
        "xmp:CreateDate 2020-01-01T00:00:00+0", "exif:DateTimeOriginal 2019-07-04T10:15:30",
      ],
      rules: DateRules([.sidecarFirst]),
      chosen: "2019-07-04T10:15:30+120 sidecar:exif:DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["DateTimeOriginal 2002-01-01T00:00:00"],
      sidecar: ["photoshop:DateCreated 2019-07-04"],
      rules: DateRules([.sidecarFirst]),
      chosen: "2019-07-04 sidecar:photoshop:DateCreated"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30+120"],
      sidecar: ["photoshop:DateCreated 2019-07-04"],
      rules: DateRules([.sidecarFirst]),
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30+120"],
      sidecar: ["photoshop:DateCreated 2019-07-04T10:15:30"],
      rules: DateRules([.sidecarFirst]),
      chosen: "2019-07-04T10:15:30+120 sidecar:photoshop:DateCreated+DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2002-01-01T00:00:00"],
      sidecar: ["xmp:CreateDate 2019-07-04T10:15:30", "photoTakenTime 2019-07-04T08:15:30+0"],
      rules: DateRules([.sidecarFirst]),
      chosen: "2002-01-01T00:00:00 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2002-01-01T00:00:00"],
      sidecar: ["exif:DateTimeOriginal 1800-01-01T00:00:00"],
      rules: DateRules([.sidecarFirst]),
      chosen: "2002-01-01T00:00:00 DateTimeOriginal",
      isReported: true
    ),
    // A header before 1970 may count from 1970: whatever else tells a date comes before it.
    Case(
      own: ["mvhd 1948-01-02T10:15:31+0"],
      name: "VID_20140102_101530.mp4",
      chosen: "2014-01-02T10:15:30 fileName"
    ),
    Case(
      own: ["mvhd 1948-01-02T10:15:31+0"],
      sidecar: ["photoTakenTime 2014-01-02T10:15:31+0"],
      chosen: "2014-01-02T10:15:31+0 sidecar:photoTakenTime"
    ),
    Case(
      own: ["mvhd 1948-01-02T10:15:31+0", "©day 1948-01-02"],
      name: "VID_20140102_101530.mp4",
      chosen: "1948-01-02T10:15:31+0 mvhd"
    ),
    Case(
      own: ["mvhd 1948-01-02T10:15:31+0"],
      rules: DateRules([.fromModification]),
      chosen: "1948-01-02T10:15:31+0 mvhd"
    ),
  ]

  /// The time zone of the source completes what is not known, and leaves what is.
  static let zoneCases: [Case] = [
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+timeZone"
    ),
    Case(
      own: ["DateTimeOriginal 2019-01-04T10:15:30"],
      chosen: "2019-01-04T10:15:30+60 DateTimeOriginal+timeZone"
    ),
    Case(own: ["mvhd 2023-12-31T23:10:00+0"], chosen: "2024-01-01T00:10:00+60 mvhd+timeZone"),
    Case(
      own: [],
      sidecar: ["photoTakenTime 2024-07-20T23:30:00+0"],
      chosen: "2024-07-21T01:30:00+120 sidecar:photoTakenTime+timeZone"
    ),
    Case(
      own: [],
      sidecar: ["exif:DateTimeOriginal 2024-07-20T23:30:00"],
      chosen: "2024-07-20T23:30:00+120 sidecar:exif:DateTimeOriginal+timeZone"
    ),
    Case(own: [], name: "IMG_20190704_101530.jpg", chosen: "2019-07-04T10:15:30+120 fileName+timeZone"),
    Case(own: [], name: "PXL_20190704_081530123.jpg", chosen: "2019-07-04T10:15:30+120 fileName+timeZone"),
    Case(
      own: [],
      rules: DateRules([.fromModification]),
      chosen: "2020-05-05T14:00:00+120 fileModification+timeZone"
    ),
    // What the file, its GPS time or its name tells comes first; a day alone has no offset.
    Case(own: ["DateTimeOriginal 2019-07-04T10:15:30+0"], chosen: "2019-07-04T10:15:30+0 DateTimeOriginal"),
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      location: "2019-07-04T17:15:30",
      chosen: "2019-07-04T10:15:30-420 DateTimeOriginal+GPSTimeStamp"
    ),
    Case(
      own: ["mvhd 2024-01-20T17:26:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09-360 mvhd+fileName"
    ),
    Case(
      own: ["mvhd 2024-01-20T11:26:09+0"],
      name: "20240120_112609.mp4",
      chosen: "2024-01-20T11:26:09+0 mvhd+fileName"
    ),
    Case(own: ["IPTC:DateCreated 2019-07-04"], chosen: "2019-07-04 IPTC:DateCreated"),
    Case(own: [], chosen: nil),
  ]

  @Test("A time zone completes the date that the rules choose", arguments: zoneCases)
  func timeZone(sample: Case) {
    var sample = sample
    sample.rules.timeZone = Self.berlin
    choice(sample: sample)
  }

  /// Dates of a clock that was an hour, two minutes and a half behind, and what they become.
  static let shifts: [Case] = [
    Case(
      own: ["DateTimeOriginal 2019-07-04T10:15:30"],
      chosen: "2019-07-04T11:18:00 DateTimeOriginal+shift"
    ),
    Case(
      own: ["DateTimeOriginal 2019-12-31T23:30:00+60"],
      chosen: "2020-01-01T00:32:30+60 DateTimeOriginal+shift"
    ),
    Case(own: ["mvhd 2019-07-04T10:15:30+0"], chosen: "2019-07-04T11:18:00+0 mvhd+shift"),
    // The GPS time tells the offset of the right time: by the wrong one another, or none.
    Case(
      own: ["DateTimeOriginal 2019-07-04T09:13:00"],
      location: "2019-07-04T08:15:28",
      chosen: "2019-07-04T10:15:30+120 DateTimeOriginal+GPSTimeStamp+shift"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T09:06:00"],
      location: "2019-07-04T08:08:20",
      chosen: "2019-07-04T10:08:30+120 DateTimeOriginal+GPSTimeStamp+shift"
    ),
    Case(
      own: ["DateTimeOriginal 2019-07-04T09:07:00"],
      location: "2019-07-04T08:17:00",
      chosen: "2019-07-04T10:09:30 DateTimeOriginal+shift"
    ),
    // A day alone, and a time that would be in the future.
    Case(own: ["IPTC:DateCreated 2019-07-04"], chosen: "2019-07-04 IPTC:DateCreated"),
    Case(
      own: ["DateTimeOriginal 2026-01-01T23:30:00"],
      chosen: "2026-01-01T23:30:00 DateTimeOriginal",
      isReported: true
    ),
  ]

  @Test("A wrong clock is corrected, and what it said stays known", arguments: shifts)
  func clockShift(sample: Case) {
    let choice = candidates(sample).chosen(sample.rules) { _ in 3750 }
    expect(choice, sample)
    #expect(choice.stated?.tag.hasSuffix("+shift") == false)
    #expect((choice.shift == nil) == (choice.implausibleTag != nil))
  }

  @Test("A corrected time has the time zone's offset at that time")
  func shiftInZone() {
    let sample = Case(own: ["mvhd 2024-03-31T00:30:00+0"])
    var rules = DateRules()
    rules.timeZone = Self.berlin
    let choice = candidates(sample).chosen(rules) { _ in 3600 }
    #expect(choice.date?.timestamp == "2024-03-31T03:30:00+02:00")
    #expect(choice.date?.tag == "mvhd+shift+timeZone")
    #expect(choice.date?.ruleTag == "mvhd")
    #expect(choice.stated?.timestamp == "2024-03-31T00:30:00+00:00")
  }

  @Test("A whole day moves a day alone")
  func shiftedDay() {
    let day = CaptureDate(local: "2019-12-31", offsetMinutes: nil, tag: "fileName")
    #expect(day.shifted(by: 86_400 + 3600).local == "2020-01-01")
    #expect(day.shifted(by: -3600) == day)
  }

  /// A camera that has lost its clock, and a name that tells another day.
  static let factoryClocks: [Case] = [
    Case(
      own: ["DateTimeOriginal 2008-01-01T00:00:12"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2019-07-04T10:15:30 fileName"
    ),
    Case(
      own: ["DateTimeOriginal 2002-12-08T12:00:00", "DateTime 2002-12-08T12:00:00"],
      name: "IMG-20190704-WA0003.jpg",
      chosen: "2019-07-04 fileName"
    ),
    Case(own: ["DateTimeOriginal 2008-01-01T00:00:12"], chosen: "2008-01-01T00:00:12 DateTimeOriginal"),
    Case(
      own: ["DateTimeOriginal 2008-01-01T00:00:12"],
      name: "IMG_20190704_101530.jpg",
      rules: DateRules([]),
      chosen: "2008-01-01T00:00:12 DateTimeOriginal"
    ),
    // New Year's night, a clock that went on, a date that a person gave, and a picture of before cameras.
    Case(
      own: ["DateTimeOriginal 2019-01-01T00:00:12"],
      name: "20190101_000012.jpg",
      chosen: "2019-01-01T00:00:12 DateTimeOriginal"
    ),
    Case(
      own: ["DateTimeOriginal 2008-01-01T00:07:12"],
      name: "IMG_20190704_101530.jpg",
      chosen: "2008-01-01T00:07:12 DateTimeOriginal"
    ),
    Case(
      own: ["photoshop:DateCreated 2000-01-01T00:00:00"],
      name: "Scan_20190704_101530.jpg",
      chosen: "2000-01-01T00:00:00 photoshop:DateCreated"
    ),
    Case(
      own: ["DateTimeOriginal 1950-01-01T00:00:00"],
      name: "Scan_20190704_101530.jpg",
      chosen: "1950-01-01T00:00:00 DateTimeOriginal"
    ),
  ]

  @Test("The factory setting of a clock loses against a name's date", arguments: factoryClocks)
  func factoryClock(sample: Case) { choice(sample: sample) }

  @Test("A date is read back from its text, with its offset")
  func timestamps() {
    for (text, minutes) in [
      ("2019-07-04", nil), ("2019-07-04T10:15:30", nil), ("2019-07-04T10:15:30+05:45", 345),
      ("2019-07-04T10:15:30-09:30", -570),
    ] {
      let date = CaptureDate(timestamp: text, tag: "mvhd")
      #expect(date?.offsetMinutes == minutes)
      #expect(date?.timestamp == text)
    }
    for text in [
      "yesterday", "2019-07-04T10:15:30+9223372036854775807:00", "2019-07-04T10:15:30+01:-9",
    ] {
      #expect(CaptureDate(timestamp: text, tag: "") == nil)
    }
  }

  @Test(
    "By how much a clock was wrong is a sign, hours, minutes and seconds",
    arguments: [
      ("+01:02:30", 3750), ("-1:00", -3600), ("+26280:00", 94_608_000), ("+00:00:01", 1),
      ("01:00", nil), ("+00:00", nil), ("+1", nil), ("+01:60", nil), ("+01:00:00:00", nil),
      ("+1:0", nil), ("+1234567:00", nil), ("\u{2212}01:00", nil), ("", nil), ("+:00", nil),
    ] as [(String, Int?)]
  )
  func shiftTexts(_ text: String, _ seconds: Int?) {
    #expect(ClockShift.seconds(text) == seconds)
    if let seconds { #expect(ClockShift.seconds(ClockShift.text(seconds)) == seconds) }
  }

  @Test("Only what the file itself states is its own, whatever completes it")
  func own() {
    let tags = [
      "DateTimeOriginal", "mvhd+fileName", "mvhd+timeZone", "fileName", "fileName+timeZone",
      "fileModification+timeZone", "sidecar:photoTakenTime+timeZone",
    ]
    let own = tags.filter { CaptureDate(local: "2024-01-20", offsetMinutes: nil, tag: $0).isOwn }
    #expect(own == ["DateTimeOriginal", "mvhd+fileName", "mvhd+timeZone"])
  }

  private static func date(_ text: String) -> CaptureDate {
    let space = text.firstIndex(of: " ") ?? text.endIndex
    var local = String(text[space...].dropFirst())
    var offset: Int?
    if local.utf8.count > 19 {
      offset = Int(local.dropFirst(19))
      local = String(local.prefix(19))
    }
    return CaptureDate(local: local, offsetMinutes: offset, tag: String(text[..<space]))
  }

  @Test("The first rule that finds a date gives it, and its tag says which", arguments: cases)
  func choice(sample: Case) { expect(candidates(sample).chosen(sample.rules), sample) }

  private func candidates(_ sample: Case) -> DateCandidates {
    var candidates = DateCandidates(
      own: sample.own.map(Self.date),
      locationTime: sample.location,
      name: Array(sample.name.utf8),
      modified: Self.modified,
      saved: Self.saved
    )
    candidates.durationMilliseconds = sample.duration
    candidates.sidecar = sample.sidecar.map { Self.date(CaptureDate.sidecarPrefix + $0) }
    return candidates
  }

  private func expect(_ chosen: DateCandidates.Choice, _ sample: Case) {
    let text = chosen.date.map { date in
      let offset = date.offsetMinutes.map { ($0 < 0 ? "" : "+") + "\($0)" } ?? ""
      return "\(date.local)\(offset) \(date.tag)"
    }
    #expect(text == sample.chosen)
    #expect((chosen.implausibleTag != nil) == sample.isReported)
  }

  @Test("A clock that was wrong moves no year and no month, and keeps the fraction of a second")
  func shifted() {
    for local in ["1978", "1978-06"] {
      let date = CaptureDate(local: local, offsetMinutes: nil, tag: "DateTimeOriginal")
      #expect(date.shifted(by: 86_400 * 400) == date)
    }
    var date = CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: nil, tag: "DateTimeOriginal")
    date.fraction = "25"
    #expect(date.shifted(by: 60).sortText == "2019-07-04T10:16:30.25")
  }

  @Test("Seconds and days of the calendar are those of the Gregorian one")
  func civil() {
    #expect(CivilDate.seconds("1970-01-01") == 0)
    #expect(CivilDate.seconds("1970") == 0 && CivilDate.seconds("1970-02") == 31 * 86_400)
    #expect(
      CivilDate.seconds("197") == nil && CivilDate.seconds("19xx") == nil
        && CivilDate.seconds("1970-0") == nil
    )
    #expect(CivilDate.seconds("1826-01-01") == -4_544_208_000)
    #expect(CivilDate.seconds("2026-01-01T00:00:00") == 1_767_225_600)
    #expect(CivilDate.seconds("1969-12-31T23:59:59") == -1)
    #expect(CivilDate.day(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate.day(year: 2000, month: 2, day: 29) == "2000-02-29")
    #expect(CivilDate.time(hour: 23, minute: 59, second: 60) == nil)
    let morning: [Int: Int?] = [0: 0, 1: 1, 11: 11, 12: 0, 13: nil, 24: nil]
    let afternoon: [Int: Int?] = [0: nil, 1: 13, 11: 23, 12: 12, 13: 13, 24: nil]
    for hour in morning.keys {
      #expect(CivilDate.hour(hour, isAfternoon: false) == morning[hour] ?? nil)
      #expect(CivilDate.hour(hour, isAfternoon: true) == afternoon[hour] ?? nil)
    }
  }

  @Test("The subtypes have PhotoKit's numbers")
  func subtypes() {
    let numbers = MediaSubtypes.words.map(\.subtype.rawValue)
    #expect(
      numbers == [
        1, 2, 4, 8, 16, 1024, 131_072, 262_144, 524_288, 2_097_152, 1_073_741_824,
      ]
    )
  }
}
