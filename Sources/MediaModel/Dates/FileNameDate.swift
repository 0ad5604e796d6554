/// Reads the date in a file's name, by a table of the shapes that cameras, phones and programs write.
///
/// A date with a time is the local time of the device that named the file, without an offset, unless
/// the shape is one that its program writes in UTC. A name of no known shape has no date: numbers
/// that could be one are not searched for.
package enum FileNameDate {
  /// Returns the date in a name, which are bytes with or without an extension; its tag is
  /// ``CaptureDate/nameTag``.
  package static func date(of name: [UInt8]) -> CaptureDate? {
    // No shape is longer.
    let name = name.prefix(200)
    for shape in shapes {
      if let date = shape.date(of: name) { return date }
    }
    return nil
  }

  /// The shapes, the more specific one first. Letters match in either case.
  ///
  /// `{D}` is `yyyyMMdd`, `{D-}` `yyyy-MM-dd` (or with `_` or `.`), `{d-}` `dd-MM-yyyy`, `{m-}`
  /// `MM-dd-yyyy`; `{T}` is `HHmmss`, `{T-}` `HH-mm-ss` (or with `.`, `_` or `:`; the hour may have one
  /// digit); `{ }` is a space of any kind or `_`, `{#}` a run of digits, `{L}` of letters.
  private static let shapes: [Shape] = [
    // Google Camera names its files in UTC.
    Shape("PXL_{D}_{T}", isUTC: true),
    // Phones: Android, OnePlus, Oppo, Xiaomi, Samsung, Insta360.
    Shape("IMG_{D}_{T}"), Shape("VID_{D}_{T}"), Shape("MVIMG_{D}_{T}"), Shape("PANO_{D}_{T}"),
    Shape("IMG{D}{T}"), Shape("VID{D}{T}"), Shape("IMG_{D}{T}"), Shape("LRV_{D}_{T}"),
    Shape("MOV_{D}_{T}"), Shape("SAVE_{D}_{T}"), Shape("TRIM_{D}_{T}"), Shape("PHOTO_{D}_{T}"),
    Shape("VIDEO_{D}_{T}"), Shape("Video_{D}{T}"), Shape("CameraZOOM-{D}{T}"),
    Shape("{#}{L}_{#}_BURST{D}{T}"), Shape("{#}{L}_BURST{D}{T}"), Shape("DSC_{#}_BURST{D}{T}"),
    Shape("BURST{D}{T}"), Shape("Burst_Cover_GIF_Action_{D}{T}"),
    Shape("SL_MO_VID_{D}_{T}"), Shape("TimeLapse_{D}_{T}"), Shape("C360_{D-}-{T-}"),
    // Windows Phone.
    Shape("WP_{D}_{T-}"), Shape("WP_{D}_{#}"),
    // WhatsApp keeps the day alone.
    Shape("IMG-{D}-WA{#}"), Shape("VID-{D}-WA{#}"), Shape("AUD-{D}-WA{#}"),
    Shape("PTT-{D}-WA{#}"), Shape("STK-{D}-WA{#}"),
    Shape("WhatsApp{ }{L}{ }{D-}{ }at{ }{T-}"), Shape("WhatsApp{ }{L}{ }{D-}{ }um{ }{T-}"),
    // Signal, Telegram, Viber.
    Shape("signal-{D-}-{T-}"), Shape("signal-{D-}-{T}"), Shape("photo_{D-}_{T-}"),
    Shape("video_{D-}_{T-}"), Shape("photo_{#}@{d-}_{T-}"), Shape("video_{#}@{d-}_{T-}"),
    Shape("viber_image_{D-}_{T-}"), Shape("viber_video_{D-}_{T-}"),
    // Screenshots and recordings: Android, iOS, macOS, Windows, GNOME, KDE.
    Shape("Screenshot_{D-}-{T-}"), Shape("Screenshot_{D}-{T}"), Shape("Screenshot_{D}_{T}"),
    Shape("Screenshot{ }{D-}{ }at{ }{T-}"), Shape("Screenshot{ }{D-}{ }{T-}"),
    Shape("Screenshot{ }{D-}{ }{T}"), Shape("Screenshot{ }from{ }{D-}{ }{T-}"),
    Shape("Screenshot-{D-}-{T-}"), Shape("Screen{ }Shot{ }{D-}{ }at{ }{T-}"),
    Shape("Screen{ }Recording{ }{D-}{ }at{ }{T-}"), Shape("Screen_Recording_{D}-{T}"),
    Shape("ScreenRecording_{m-}{ }{T-}"), Shape("Screencast{ }from{ }{D-}{ }{T-}"),
    Shape("Bildschirmfoto{ }{D-}{ }um{ }{T-}"), Shape("Bildschirmfoto{ }vom{ }{D-}{ }{T-}"),
    Shape("Bildschirmfoto{ }{D-}{ }{T-}"), Shape("Bildschirmaufnahme{ }{D-}{ }um{ }{T-}"),
    Shape("SCR-{D}-{L}"),
    // Drones, action and dash cameras.
    Shape("DJI_{D}{T}"), Shape("DJI_{D}_{T}"), Shape("dji_fly_{D}_{T}"),
    Shape("dji_mimo_{D}_{T}"), Shape("REC_{D}_{T}"), Shape("FILE{D}-{T}"), Shape("NORM_{D}_{T}"),
    Shape("{Y}_{M}{DD}_{T}"),
    // Camera uploads, other programs, and names that begin with a date.
    Shape("{D-}T{T-}Z", isUTC: true), Shape("{D-}T{T-}"), Shape("{D}T{T}Z", isUTC: true),
    Shape("{D}T{T}"), Shape("{D-}{ }at{ }{T-}"), Shape("{D-}{ }{T-}"), Shape("{D-}-{T-}"),
    Shape("{D-}{ }{T}"), Shape("{D}_{T}"), Shape("{D}-{T}"), Shape("{D}{ }{T}"), Shape("{D}{T}"),
    Shape("IMG_{D-}_{T-}"), Shape("IMG_{D-}-{T-}"), Shape("VID_{D-}_{T-}"),
    Shape("Scan_{D}_{T}"), Shape("Scan_{D}"), Shape("Scan{ }{D-}"), Shape("IMG_{D}"),
    Shape("VID_{D}"), Shape("IMG-{D}"), Shape("{D-}"), Shape("{D}"),
  ]

  /// The shape of a name up to and including its date.
  private struct Shape {
    private enum Part {
      case literal(UInt8)
      case digits(Field, count: Int)
      /// A number of one or two digits.
      case hour
      /// A run of digits, or of letters.
      case run(digits: Bool)
      case space
      case separator(ofTime: Bool)
    }

    private enum Field { case year, month, day, hour, minute, second }

    private let parts: [Part]
    private let isUTC: Bool
    /// Whether the date is eight digits in a row, which may be another number.
    private let isCompact: Bool

    init(_ text: StaticString, isUTC: Bool = false) {
      let year = Part.digits(.year, count: 4)
      let (month, day) = (Part.digits(.month, count: 2), Part.digits(.day, count: 2))
      let hour = Part.digits(.hour, count: 2)
      let (minute, second) = (Part.digits(.minute, count: 2), Part.digits(.second, count: 2))
      let (ofDate, ofTime) = (Part.separator(ofTime: false), Part.separator(ofTime: true))
      let fields: [String: [Part]] = [
        "D": [year, month, day], "D-": [year, ofDate, month, ofDate, day],
        "d-": [day, ofDate, month, ofDate, year], "m-": [month, ofDate, day, ofDate, year],
        "Y": [year], "M": [month], "DD": [day],
        "T": [hour, minute, second], "T-": [.hour, ofTime, minute, ofTime, second],
        " ": [.space], "#": [.run(digits: true)], "L": [.run(digits: false)],
      ]
      var parts: [Part] = []
      var field: String?
      let name = text.withUTF8Buffer { Array($0) }
      for byte in name {
        switch byte {
        case UInt8(ascii: "{"): field = ""
        case UInt8(ascii: "}"):
          parts += fields[field ?? ""] ?? []
          field = nil
        default:
          if field != nil {
            field?.unicodeScalars.append(Unicode.Scalar(byte))
          } else {
            parts.append(.literal(FileNameDate.lowercased(byte)))
          }
        }
      }
      self.parts = parts
      self.isUTC = isUTC
      isCompact = name.starts(with: "{D}".utf8)
    }

    func date(of name: ArraySlice<UInt8>) -> CaptureDate? {
      var rest = name
      var values: [Field: Int] = [:]
      for part in parts {
        switch part {
        case .literal(let byte):
          guard let first = rest.popFirst(), FileNameDate.lowercased(first) == byte else {
            return nil
          }
        case .digits(let field, let count):
          guard let number = FileNameDate.number(rest.prefix(count), count) else { return nil }
          rest = rest.dropFirst(count)
          values[field] = number
        case .hour:
          let run = rest.prefix(2).prefix(while: FileNameDate.isDigit)
          guard let number = FileNameDate.number(run, run.count), !run.isEmpty else { return nil }
          rest = rest.dropFirst(run.count)
          values[.hour] = number
        case .run(let digits):
          let run = rest.prefix { digits ? FileNameDate.isDigit($0) : FileNameDate.isLetter($0) }
          if run.isEmpty { return nil }
          rest = rest.dropFirst(run.count)
        case .space:
          guard let length = FileNameDate.spaceLength(rest) else { return nil }
          rest = rest.dropFirst(length)
        case .separator(let ofTime):
          guard let first = rest.popFirst(), (ofTime ? "-._:" : "-._").utf8.contains(first) else {
            return nil
          }
        }
      }
      guard FileNameDate.isEnd(rest, afterTime: values[.second] != nil) else { return nil }
      return date(values, rest)
    }

    private func date(_ values: [Field: Int], _ rest: ArraySlice<UInt8>) -> CaptureDate? {
      guard let year = values[.year], let month = values[.month], let day = values[.day],
        !isCompact || year >= 1990,
        let date = CivilDate.day(year: year, month: month, day: day)
      else { return nil }
      guard let hour = values[.hour], let minute = values[.minute], let second = values[.second]
      else { return CaptureDate(local: date, offsetMinutes: nil, tag: CaptureDate.nameTag) }
      guard let hour = FileNameDate.hour(hour, rest),
        let time = CivilDate.time(hour: hour, minute: minute, second: second)
      else { return nil }
      return CaptureDate(
        local: date + "T" + time,
        offsetMinutes: isUTC ? 0 : nil,
        tag: CaptureDate.nameTag
      )
    }
  }

  /// Returns the hour of a day of 24 hours; macOS writes `9.05.07 PM` with a narrow space.
  private static func hour(_ hour: Int, _ rest: ArraySlice<UInt8>) -> Int? {
    guard let space = spaceLength(rest) else { return hour }
    let word = rest.dropFirst(space).prefix(2).map(lowercased)
    guard word == Array("am".utf8) || word == Array("pm".utf8),
      !rest.dropFirst(space + 2).prefix(1).contains(where: isLetter)
    else { return hour }
    guard (1...12).contains(hour) else { return word == Array("pm".utf8) ? hour : nil }
    return hour % 12 + (word == Array("pm".utf8) ? 12 : 0)
  }

  /// Returns whether a date may end here: digits may follow a time as its milliseconds, otherwise none.
  private static func isEnd(_ rest: ArraySlice<UInt8>, afterTime: Bool) -> Bool {
    let digits = rest.prefix(while: isDigit).count
    return digits == 0 || afterTime && digits == 3
  }

  /// Returns the length of a space, a no-break space, a narrow one, or of an underscore.
  private static func spaceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.first == 0x20 || bytes.first == UInt8(ascii: "_") { return 1 }
    if bytes.starts(with: [0xC2, 0xA0]) { return 2 }
    return bytes.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> Int? {
    guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
