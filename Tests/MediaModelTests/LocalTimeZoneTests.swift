import Foundation
import MediaModel
import Testing

@Suite("Time zones")
struct LocalTimeZoneTests {
  /// A file of the database of version 2, without what version 1 has.
  static func file(
    _ types: [Int],
    _ transitions: [(time: Int64, type: UInt8)] = [],
    footer: String = ""
  ) -> [UInt8] {
    func big(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    func header(_ times: Int, _ types: Int) -> [UInt8] {
      let counts = [0, 0, 0, times, types, types == 0 ? 0 : 4]
      return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        + counts.flatMap { big(Int32($0)) }
    }
    return header(0, 0) + header(transitions.count, types.count)
      + transitions.flatMap { big($0.time) } + transitions.map(\.type)
      + types.flatMap { big(Int32($0)) + [0, 0] } + Array("LMT\0\n\(footer)\n".utf8)
  }

  /// Central Europe of today, by the rule alone.
  static let berlin = LocalTimeZone(
    name: "Europe/Berlin",
    file([3600], footer: "CET-1CEST,M3.5.0,M10.5.0/3")
  )

  private static func seconds(_ local: String) throws -> Int {
    try #require(CivilDate.seconds(local))
  }

  @Test(
    "A moment has the offset of its season, by the transitions and by the rule behind them",
    arguments: [
      ("2024-01-20T10:26:09", 60), ("2024-03-31T00:59:59", 60), ("2024-03-31T01:00:00", 120),
      ("2024-07-20T10:26:09", 120), ("2024-10-27T00:59:59", 120), ("2024-10-27T01:00:00", 60),
      ("2099-07-20T10:26:09", 120),
    ]
  )
  func moments(_ time: String, _ minutes: Int) throws {
    let zone = try #require(Self.berlin)
    #expect(zone.offset(at: try Self.seconds(time)) == minutes)
  }

  @Test(
    "A local time has the offset of its season; of an hour that comes twice the first counts",
    arguments: [
      ("2024-01-01T00:30:00", 60), ("2024-03-31T01:59:59", 60), ("2024-03-31T02:30:00", 60),
      ("2024-03-31T03:00:00", 120), ("2024-10-27T01:59:59", 120), ("2024-10-27T02:30:00", 120),
      ("2024-10-27T03:00:00", 60),
    ]
  )
  func localTimes(_ time: String, _ minutes: Int) throws {
    let zone = try #require(Self.berlin)
    #expect(zone.offset(ofLocal: try Self.seconds(time)) == minutes)
  }

  @Test("Transitions that are listed come before the rule, and the first type counts before them")
  func transitions() throws {
    // A town's mean time until 1893, and a year in which the rule is not the one of today.
    let bytes = Self.file(
      [3208, 3600, 7200],
      [(-2_422_054_408, 1), (323_830_800, 2), (338_950_800, 1)],
      footer: "CET-1CEST,M3.5.0,M10.5.0/3"
    )
    let zone = try #require(LocalTimeZone(name: "Europe/Berlin", bytes))
    #expect(zone.offset(at: try Self.seconds("1880-01-01T00:00:00")) == 53)
    #expect(zone.offset(at: try Self.seconds("1950-07-01T00:00:00")) == 60)
    #expect(zone.offset(at: try Self.seconds("1980-07-01T00:00:00")) == 120)
    #expect(zone.offset(at: try Self.seconds("1980-10-01T00:00:00")) == 60)
    #expect(zone.offset(at: try Self.seconds("2024-10-01T00:00:00")) == 120)
  }

  @Test(
    "Rules of other places",
    arguments: [
      ("<+0330>-3:30", "2024-07-01T00:00:00", 210),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-07-01T00:00:00", -240),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T05:59:59", -240),
      ("EST5EDT,M3.2.0,M11.1.0", "2024-11-03T06:00:00", -300),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2024-01-01T00:00:00", 660),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2024-07-01T00:00:00", 630),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T00:59:59", -120),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T01:00:00", -60),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-07-01T00:00:00", 60),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2024-01-01T00:00:00", 0),
    ]
  )
  func rules(_ footer: String, _ time: String, _ minutes: Int) throws {
    // A rule that is not read leaves the offset of the type, which is another one.
    let type = 60 * (minutes + 1)
    let zone = try #require(LocalTimeZone(name: "A", Self.file([type], footer: footer)))
    #expect(zone.offset(at: try Self.seconds(time)) == minutes)
  }

  @Test("A file that is cut anywhere, or lies about its counts, is none or has the beginning")
  func damaged() {
    let whole = Self.file([3600, 7200], [(323_830_800, 1)], footer: "CET-1CEST,M3.5.0,M10.5.0/3")
    for count in whole.indices { _ = LocalTimeZone(name: "A", Array(whole[..<count])) }
    for index in whole.indices {
      for byte in [UInt8(0), 0x7F, 0xFF] {
        var bytes = whole
        bytes[index] = byte
        _ = LocalTimeZone(name: "A", bytes)
      }
    }
    #expect(LocalTimeZone(name: "A", Array(whole[..<80])) == nil)
    #expect(LocalTimeZone(name: "A", Array("no such file".utf8)) == nil)
  }

  @Test("Offsets are those that another reader of the system's database has")
  func otherReader() throws {
    let folder = "/usr/share/zoneinfo/"
    let names = [
      "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/Sao_Paulo",
      "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Auckland", "UTC",
    ].filter { FileManager.default.fileExists(atPath: folder + $0) }
    for name in names {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + name))
      let zone = try #require(LocalTimeZone(name: name, Array(bytes)))
      let other = try #require(TimeZone(identifier: name))
      // Every ten days and some hours from 1975 to 2030.
      for seconds in stride(from: 157_766_400, to: 1_893_456_000, by: 897_321) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        #expect(zone.offset(at: seconds) * 60 == other.secondsFromGMT(for: date), "\(name) \(date)")
      }
    }
  }

  @Test("Names are those that the database has, and no paths")
  func names() {
    for name in ["Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5", "UTC", "EST5EDT"] {
      #expect(LocalTimeZone.isName(name))
    }
    let others = [
      "", "/etc/passwd", "../etc", "Europe/..", "Europe//Berlin", "Europe/Berlin/", "localtime",
      "posix/Europe/Berlin", "zone.tab", "Europe/Z\u{FC}rich", "CET-1,M3", "+02:00",
      String(repeating: "A", count: 256),
    ]
    for name in others { #expect(!LocalTimeZone.isName(name)) }
  }
}
