internal import MediaModel

/// Reads a date with its time of day behind any word or none, by the shape of the numbers alone:
/// `KakaoTalk_20190704_101530123`, `VID_20190704_10_15_30`, `WhatsApp-Bild 2019-07-04 um 10.15.30`,
/// `ksnip_20190704-101530`, `image-20190704101530`.
///
/// The year comes first, so that nobody has to guess which number is the day. A number behind one of
/// ``numberWords``, digits of a longer run, and eight digits between letters, as a digest has them, are no date.
struct DateBehindWord {
  /// The name in lower case; with letters beyond ASCII as ``ScreenshotName/folded(bytes:)`` writes it.
  private let text: [UInt8]

  /// Returns the date in a name, which are bytes with or without an extension.
  static func date(of name: ArraySlice<UInt8>) -> CaptureDate? {
    guard name.count >= 14 else { return nil }
    let isASCII = name.allSatisfy { $0 < 0x80 }
    let text =
      isASCII
      ? name.map(\.asciiLowercased) : withoutUnits(ScreenshotName.folded(bytes: name))
    return Self(text: text).date()
  }

  /// Words before the number of an order, a bill, a parcel, a person or a thing, which may begin with a date.
  private static let numberWords: Set<String> = [
    "order", "orders", "ord", "po", "invoice", "inv", "rechnung", "re", "rg", "bestellung", "auftrag",
    "angebot",
    "lieferschein", "vertrag", "facture", "commande", "factura", "pedido", "fattura", "ordine", "fatura",
    "faktura",
    "quote", "contract", "booking", "payment", "transaction", "txn", "awb", "tracking", "shipment", "parcel",
    "ticket",
    "case", "ref", "reference", "id", "nr", "number", "nummer", "numero", "acct", "account", "konto", "iban",
    "isbn",
    "ean", "sku", "lot", "batch", "barcode", "customer", "kunde", "policy", "claim", "sn", "serial", "imei",
    "vin",
    "tel", "phone", "fax", "telefon", "telefono", "teléfono", "telefone", "téléphone", "numéro", "número",
    "номер",
    "№", "nº", "n°", "uid", "userid", "memberid", "txnid", "rma", "fiscal", "artikel", "aktenzeichen",
    "vorgang",
    "sendung", "buchung", "reservation", "voucher", "coupon", "gutschein",
  ]

  /// The beginnings of such words, which other languages and programs join with others: `orderid`, `Bestellnummer`.
  private static let numberBeginnings = [
    "order", "bestell", "beställ", "auftrag", "rechnung", "invoice", "factu", "fatur", "faktur", "pedido",
    "ordine",
    "ordem", "orden", "zamówieni", "objednávk", "sipariş", "tilaus", "serial", "transact", "transakt",
    "заказ",
    "счет",
    "счёт", "订单", "訂單", "发票", "發票", "注文", "請求", "주문", "청구",
  ]
  private static let numberEndings = ["nummer", "number", "nr", "单号", "單號", "番号", "号码", "번호"]
  private static let shortestBeginning = 5

  /// What stands for the words of East Asia behind each number of a date and a time.
  private static let units: [[UInt8]: [UInt8]] = {
    var units: [[UInt8]: [UInt8]] = [:]
    for (words, mark) in [("年月년월", "-"), ("日일", " "), ("时時分시분", "."), ("秒초", "")] {
      for word in words { units[Array(String(word).utf8)] = Array(mark.utf8) }
    }
    return units
  }()

  /// Returns `2019-7-4 10.15.30` for `2019年7月4日10時15分30秒`.
  private static func withoutUnits(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if result.last?.isASCIIDigit == true, let mark = units[Array(text[index...].prefix(3))] {
        result += mark
        index += 3
        while text.indices.contains(index), text[index] == .space { index += 1 }
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private func date() -> CaptureDate? {
    var index = 0
    while index < text.count {
      let length = digits(at: index)
      if length > 0, let date = date(at: index, length) { return date }
      index += max(1, length)
    }
    return nil
  }

  private func date(at start: Int, _ length: Int) -> CaptureDate? {
    guard let day = day(at: start, length), let time = time(behind: day, run: length),
      isApart(start, time.end, day, run: length),
      let hour = FileNameDate.hour(time.hour, text[time.end...], before: time.meridiem),
      let clock = CivilDate.time(hour: hour, minute: time.minute, second: time.second ?? 0),
      !isNumber(behind: words(before: start)),
      text[..<start].last(where: { $0 != .space }) != UInt8(ascii: "#")
    else { return nil }
    // A time to the minute is none of a second: the day alone is known.
    if time.second == nil {
      return CaptureDate(local: day.text, offsetMinutes: nil, tag: CaptureDate.nameTag)
    }
    return CaptureDate(
      local: day.text + "T" + clock,
      offsetMinutes: isUTC(start, time) ? 0 : nil,
      tag: CaptureDate.nameTag
    )
  }

  private struct Day {
    var text: String
    /// The index behind it.
    var end: Int
    /// Whether it is eight digits.
    var isCompact: Bool
  }

  private struct Time {
    var hour: Int
    var minute: Int
    /// Nil in `HH-mm`.
    var second: Int?
    /// The index behind it and its milliseconds, if these follow at once.
    var end: Int
    /// The byte of ``ScreenshotName/Meridiem`` before it.
    var meridiem: Int?
  }

  /// Reads `yyyyMMdd` or `yyyy-MM-dd` at an index where a run of digits begins; apart, month and day may have one digit.
  private func day(at start: Int, _ length: Int) -> Day? {
    var (month, day) = (start + 4, start + 6)
    var (monthLength, dayLength) = (2, 2)
    let isCompact = length != 4
    switch length {
    case 8, 14, 17: break
    case 16 where isDigest(at: start + 16): break
    case 4:
      month = start + 5
      monthLength = digits(at: month)
      day = month + monthLength + 1
      dayLength = digits(at: day)
      guard let separator = byte(start + 4), "-._ ".utf8.contains(separator), byte(day - 1) == separator,
        (1...2).contains(monthLength), (1...2).contains(dayLength)
      else { return nil }
    default: return nil
    }
    let year = number(start, 4)
    // A scan of an old photo is called by a date with its parts apart; eight digits may be another number.
    guard ((isCompact ? 1990 : 1900)..<2100).contains(year),
      let text = CivilDate.day(year: year, month: number(month, monthLength), day: number(day, dayLength))
    else { return nil }
    return Day(text: text, end: day + dayLength, isCompact: isCompact)
  }

  /// Reads `HHmmss`, `HH-mm-ss` or `10h15m30s` behind a day.
  private func time(behind day: Day, run: Int) -> Time? {
    if run > 8 { return compactTime(at: day.end, end: day.end + run - 8) }
    let gap = text[day.end...].prefix(32).prefix { !$0.isASCIIDigit }
    // Words stand between a day and a time of which both are easily told; else a mark, or the letter of ISO 8601.
    let isPlain = gap.count <= 3 && gap.allSatisfy { !$0.isASCIIAlphanumeric && $0 < 0x80 }
    guard !day.isCompact || isPlain || gap.elementsEqual("t".utf8) || gap.elementsEqual(" at ".utf8) else {
      return nil
    }
    let start = day.end + gap.count
    let length = digits(at: start)
    let meridiem = gap.first { ScreenshotName.Meridiem(rawValue: $0) != nil }.map { Int($0) }
    switch length {
    case 6, 9: return compactTime(at: start, end: start + length, meridiem)
    // Scanners of Epson write hundredths of a second.
    case 8 where day.isCompact && text[..<(day.end - 8)].elementsEqual("img".utf8):
      return compactTime(at: start, end: start + length)
    case 2: return separatedTime(at: start, length, isCompact: day.isCompact, meridiem)
    // Eight digits and one are a number with its count.
    case 1: return day.isCompact ? nil : separatedTime(at: start, length, isCompact: false, meridiem)
    default: return nil
    }
  }

  private func compactTime(at start: Int, end: Int, _ meridiem: Int? = nil) -> Time {
    Time(
      hour: number(start, 2),
      minute: number(start + 2, 2),
      second: number(start + 4, 2),
      end: end,
      meridiem: meridiem
    )
  }

  private func separatedTime(at start: Int, _ length: Int, isCompact: Bool, _ meridiem: Int?) -> Time? {
    let minute = start + length + 1
    guard let separator = byte(minute - 1), "-._: h".utf8.contains(separator), digits(at: minute) == 2 else {
      return nil
    }
    var time = Time(
      hour: number(start, length),
      minute: number(minute, 2),
      end: minute + 2,
      meridiem: meridiem
    )
    let isLettered = separator == UInt8(ascii: "h")
    if byte(time.end) == (isLettered ? UInt8(ascii: "m") : separator), digits(at: time.end + 1) == 2 {
      time.second = number(time.end + 1, 2)
      time.end += 3
      if isLettered, byte(time.end) == UInt8(ascii: "s") { time.end += 1 }
    } else if length == 1 || byte(time.end)?.isASCIIAlphanumeric == true || isCompact {
      return nil
    }
    return time
  }

  /// Returns whether what stands around the digits leaves no doubt that they are a date.
  private func isApart(_ start: Int, _ end: Int, _ day: Day, run: Int) -> Bool {
    guard day.isCompact else { return true }
    let letters = text[..<start].reversed().prefix(while: \.isASCIILetter).count
    if letters > 0, byte(end)?.isASCIILetter == true || byte(start - letters - 1)?.isASCIIDigit == true {
      return false
    }
    // Fourteen digits at the start of a digest.
    let token = text[end...].prefix(while: \.isASCIIAlphanumeric)
    return run == 8 || token.allSatisfy(\.isASCIILetter)
  }

  /// Returns whether the name says that its time is UTC: `PXL_…` of Google Camera, `GMT…` of Zoom, `…Z`, `…_UTC`,
  /// and OneDrive's `…000_iOS`.
  private func isUTC(_ start: Int, _ time: Time) -> Bool {
    let mark = byte(start - 1).map { "-_ ".utf8.contains($0) } == true ? 1 : 0
    let word = text[..<max(0, start - mark)].reversed().prefix(while: \.isASCIILetter).reversed()
    if ["pxl", "gmt", "utc"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
    var end = time.end
    if let separator = byte(end), "-._ ".utf8.contains(separator), digits(at: end + 1) == 3 { end += 4 }
    let zone = text[end...].prefix(while: \.isASCIILetter)
    if zone.elementsEqual("z".utf8) { return true }
    if zone.isEmpty, let separator = byte(end), "-_ ".utf8.contains(separator) { end += 1 }
    let name = text[end...].prefix(while: \.isASCIILetter)
    let isOffset =
      byte(end + name.count).map { "+-".utf8.contains($0) } == true
      && digits(at: end + name.count + 1) > 0
    if ["utc", "gmt"].contains(where: { name.elementsEqual($0.utf8) }) { return !isOffset }
    return name.elementsEqual("ios".utf8) && text[..<end].suffix(4).elementsEqual("000_".utf8)
  }

  /// Whether words say that a number is no date. An album of LINE has its title, which may be a date, and the day of
  /// saving in six digits.
  private func isNumber(behind words: [String]) -> Bool {
    words.starts(with: ["line", "album"])
      || words.contains { word in
        Self.numberWords.contains(word)
          || word.utf8.count >= Self.shortestBeginning
            && (Self.numberBeginnings.contains(where: word.hasPrefix)
              || Self.numberEndings.contains(where: word.hasSuffix))
      }
  }

  /// The words before an index.
  private func words(before start: Int) -> [String] {
    text[..<start].split { !$0.isASCIILetter && $0 < 0x80 }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns whether `-` and 32 hexadecimal digits follow, as in the names of a Nintendo Switch.
  private func isDigest(at index: Int) -> Bool {
    byte(index) == .hyphen
      && text[(index + 1)...].prefix { $0.isASCIIDigit || (0x61...0x66).contains($0) }.count == 32
  }

  /// The length of the run of digits at an index; 0 beyond the end.
  private func digits(at index: Int) -> Int {
    index < text.count ? text[index...].prefix(while: \.isASCIIDigit).count : 0
  }

  private func byte(_ index: Int) -> UInt8? { text.indices.contains(index) ? text[index] : nil }

  /// The number of some digits, which are there.
  private func number(_ start: Int, _ count: Int) -> Int {
    text[start...].prefix(count).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }
}
