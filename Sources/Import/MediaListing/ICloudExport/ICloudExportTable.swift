internal import MediaModel
internal import MediaSyntax

/// A CSV file of an export of iCloud Photos.
///
/// Apple documents none of them. `Photo Details.csv` has `imgName, fileChecksum, favorite, hidden, deleted,
/// originalCreationDate, viewCount, importDate`; one of an album or a memory has a column of names, called `Images`,
/// `imgName` or `imageName`. A header of other words is told by the shape of the rows. Source: exports that
/// immich-go#822 and PhotoMigrator describe.
enum ICloudExportTable {
  /// What a row of details says of a file.
  struct Row: Sendable, Hashable {
    /// What is true of a file.
    struct Marks: OptionSet, Sendable, Hashable {
      let rawValue: UInt8
      static let favorite = Marks(rawValue: 1)
      static let hidden = Marks(rawValue: 1 << 1)
      static let deleted = Marks(rawValue: 1 << 2)
    }

    var marks: Marks = []
    /// The seconds since 1970 at which it was taken, to the minute; nil where the row says none that can be read.
    var taken: Int64?
  }

  /// The files that it is about.
  enum Content {
    case details([(name: String, row: Row)])
    case names([String])
    /// The header, which is not known, as bytes of no form.
    case unknown(header: [UInt8])
  }

  /// The most columns that are looked at, two more than there are: a date has a comma, and may lack its quotes.
  private static let maximumColumns = 12
  /// The rows by whose shape a header of unknown words is told.
  private static let sampleCount = 20
  /// The longest name of a file in bytes.
  private static let maximumNameLength = 1024

  private typealias Fields = [[UInt8]]

  /// The columns of details, by their places.
  private struct Columns {
    var name = 0
    var favorite: Int? = 2
    var hidden: Int? = 3
    var deleted: Int? = 4
    var date: Int? = 5
    var count = 8
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - limit: The most rows that are read; others are left out.
  /// - Returns: What it has.
  static func content(_ bytes: [UInt8], limit: Int) -> Content {
    var parser = CSVParser(bytes, maximumFieldCount: maximumColumns)
    var rows: [Fields] = []
    while rows.count <= sampleCount, let fields = next(&parser) { rows.append(fields) }
    guard let header = rows.first else { return .names([]) }
    // Another encoding, in which the header would be known and no name.
    if header.contains(where: { $0.contains(0) }) { return .unknown(header: Array(header[0].prefix(200))) }
    let samples = rows.dropFirst()
    if let columns = columns(header) ?? columns(bySamples: samples, header) {
      var details: [(name: String, row: Row)] = []
      visit(samples, &parser, limit) { fields in
        if let name = name(fields, columns.name) { details.append((name, row(fields, columns))) }
      }
      return .details(details)
    }
    let words = ["images", "imgname", "imagename"]
    let isNamed = header.count == 1 && words.contains(word(header[0]))
    let isOfNames = !samples.isEmpty && samples.allSatisfy { $0.count == 1 && isMedia($0[0]) }
    guard isNamed || header.count == 1 && isOfNames else {
      return .unknown(header: Array(header.joined(separator: [UInt8.comma]).prefix(200)))
    }
    var names: [String] = []
    // A file without a header begins with a name.
    let first = !isNamed && isMedia(header[0]) ? [header] : []
    visit(first + samples, &parser, limit) { fields in
      if let name = name(fields, 0) { names.append(name) }
    }
    return .names(names)
  }

  /// Calls `body` with records that are read already, then with those that follow.
  private static func visit(
    _ read: ArraySlice<Fields>,
    _ parser: inout CSVParser,
    _ limit: Int,
    _ body: (Fields) -> Void
  ) {
    var unvisited = read
    for _ in 0..<max(0, limit) {
      guard let fields = unvisited.popFirst() ?? next(&parser) else { return }
      body(fields)
    }
  }

  /// The fields of the next record that is not empty.
  private static func next(_ parser: inout CSVParser) -> Fields? {
    while let record = parser.next() {
      if !record.isEmpty { return record.fields.map(\.bytes) }
    }
    return nil
  }

  /// A word of a header: its letters in lower case.
  private static func word(_ field: [UInt8]) -> String {
    String(decoding: field.filter(\.isASCIILetter).map(\.asciiLowercased), as: UTF8.self)
  }

  /// The columns by the words of a header; nil where it is none of details.
  private static func columns(_ header: Fields) -> Columns? {
    let words = header.map(word)
    guard words.count > 1, let name = words.firstIndex(of: "imgname") ?? words.firstIndex(of: "imagename")
    else {
      return nil
    }
    return Columns(
      name: name,
      favorite: words.firstIndex(of: "favorite"),
      hidden: words.firstIndex(of: "hidden"),
      deleted: words.firstIndex(of: "deleted"),
      date: words.firstIndex(of: "originalcreationdate"),
      count: words.count
    )
  }

  /// The columns of a header of unknown words, where each row has a name, three marks and a date at their places.
  private static func columns(bySamples samples: ArraySlice<Fields>, _ header: Fields) -> Columns? {
    let usual = Columns()
    guard header.count == usual.count, !samples.isEmpty else { return nil }
    let areDetails = samples.allSatisfy { fields in
      fields.count >= usual.count && isMedia(fields[0])
        && (2...4).allSatisfy { yesWords.contains(text(fields[$0])) || noWords.contains(text(fields[$0])) }
        && date(fields, at: 5, count: usual.count) != nil
    }
    return areDetails ? usual : nil
  }

  private static func isMedia(_ field: [UInt8]) -> Bool {
    MediaFormat(fileExtension: ItemPath(bytes: field).fileExtension) != nil
  }

  private static func name(_ fields: Fields, _ column: Int) -> String? {
    guard column < fields.count, !fields[column].isEmpty, fields[column].count <= maximumNameLength else {
      return nil
    }
    return String(decoding: fields[column], as: UTF8.self)
  }

  private static func row(_ fields: Fields, _ columns: Columns) -> Row {
    var row = Row()
    func field(_ column: Int?) -> String? { column.flatMap { $0 < fields.count ? text(fields[$0]) : nil } }
    if let word = field(columns.favorite), yesWords.contains(word) { row.marks.insert(.favorite) }
    // Whatever does not say that a picture may be seen hides it.
    if let word = field(columns.hidden), !noWords.contains(word) { row.marks.insert(.hidden) }
    if let word = field(columns.deleted), yesWords.contains(word) { row.marks.insert(.deleted) }
    row.taken = columns.date.flatMap { date(fields, at: $0, count: columns.count) }
    return row
  }

  private static func text(_ field: [UInt8]) -> String {
    String(decoding: field.prefix(32), as: UTF8.self).lowercased()
  }

  private static let yesWords: Set<String> = [
    "yes", "true", "1", "y", "ja", "oui", "si", "sí", "sì", "sim", "tak", "ano", "da", "evet", "igen",
    "kyllä", "да",
    "так", "はい", "是", "예", "네",
  ]
  private static let noWords: Set<String> = [
    "no", "false", "0", "n", "", "nein", "non", "não", "nee", "nej", "nei", "nie", "ne", "hayır", "nem", "ei",
    "нет",
    "ні", "いいえ", "否", "아니요", "아니오",
  ]

  // MARK: Dates

  /// The seconds since 1970 of a date, whose comma may have divided it.
  private static func date(_ fields: Fields, at column: Int, count: Int) -> Int64? {
    guard column < fields.count else { return nil }
    if let date = seconds(fields[column]) { return date }
    guard fields.count > count, column + 1 < fields.count else { return nil }
    return seconds(fields[column] + [UInt8.comma] + fields[column + 1])
  }

  /// Reads `Sunday December 24,1978 12:00 PM GMT`, also with the day before the month, and `1978-12-24 12:00:00` or
  /// with a `T`; all of them in UTC. Nil for a day alone, and for another zone.
  static func seconds(_ text: [UInt8]) -> Int64? {
    guard text.count <= 64, !text.contains(UInt8(ascii: "+")) else { return nil }
    let spaced = text.indices.map { index in
      // `T` and `Z` of ISO 8601 stand behind a digit.
      "TZ".utf8.contains(text[index]) && index > 0 && text[index - 1].isASCIIDigit ? UInt8.space : text[index]
    }
    let words = spaced.split { !$0.isASCIIAlphanumeric }.filter { !$0.elementsEqual("at".utf8) }
    func number(_ index: Int) -> Int? {
      guard words.indices.contains(index), words[index].count <= 4, words[index].allSatisfy(\.isASCIIDigit)
      else {
        return nil
      }
      return words[index].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    var (year, month, day, next) = (number(0), number(1), number(2), 3)
    if let index = words.firstIndex(where: { EnglishMonth.number(of: $0) != nil }) {
      let isDayFirst = (number(index + 1) ?? 0) > 31
      month = EnglishMonth.number(of: words[index])
      day = number(isDayFirst ? index - 1 : index + 1)
      year = number(isDayFirst ? index + 1 : index + 2)
      next = isDayFirst ? index + 2 : index + 3
    }
    guard let year, let month, let day, let date = CivilDate.day(year: year, month: month, day: day),
      let hour = number(next), let minute = number(next + 1)
    else { return nil }
    let isAfternoon = words.dropFirst(next + 2).lazy.compactMap(meridiem).first
    guard let hour = isAfternoon.map({ CivilDate.hour(hour, isAfternoon: $0) }) ?? hour,
      let time = CivilDate.time(hour: hour, minute: minute, second: number(next + 2) ?? 0)
    else { return nil }
    return CivilDate.seconds(date + "T" + time).map(Int64.init)
  }

  private static func meridiem(_ word: ArraySlice<UInt8>) -> Bool? {
    let text = word.map(\.asciiLowercased)
    return text.elementsEqual("pm".utf8) ? true : text.elementsEqual("am".utf8) ? false : nil
  }
}
