package import MediaModel
package import MediaSyntax

/// A type of records: one list of fields, from which its records are written and read.
package protocol RecordBody: Sendable {
  /// The events whose records are of this type.
  static var events: [AuditEvent] { get }

  /// Makes a value of which nothing is known yet.
  init()

  /// Goes through the fields: each one is written into a record, or set from it.
  mutating func list(_ fields: inout RecordFields)
}

/// The members of one record while the list of its fields is gone through.
///
/// One function serves both ways, so that no member can be written under one name and read under another. Its
/// fields have the types of the values: a million records are written and read without a box for any of them.
package struct RecordFields {
  /// The event of the record.
  fileprivate(set) var event: AuditEvent
  fileprivate(set) var members: [AuditRecord.Member] = []
  /// Nil while a record is written.
  private let record: [String: JSONValue]?
  private let clean: ((String) -> String)?
  fileprivate var isWhole = true

  fileprivate init(writing event: AuditEvent) {
    (self.event, record, clean) = (event, nil, nil)
    // Most records have no more, with those that the writer adds.
    members.reserveCapacity(16)
  }

  fileprivate init(
    reading record: [String: JSONValue],
    of event: AuditEvent,
    _ clean: ((String) -> String)?
  ) {
    (self.event, self.record, self.clean) = (event, record, clean)
  }

  private mutating func write(_ name: String, _ value: JSONValue?) {
    if let value { members.append(AuditRecord.Member(key: name, value: value)) }
  }

  private func value<Value: RecordValue>(_ name: String) -> Value? {
    guard let json = record?[name] else { return nil }
    return Value(json, clean)
  }

  /// The event, of a type that has several.
  mutating func event(_ event: inout AuditEvent) {
    if record == nil { self.event = event } else { event = self.event }
  }

  /// A field without which a record tells nothing.
  mutating func needed<Value: RecordValue>(_ name: String, _ field: inout Value) {
    if record == nil { return write(name, field.json) }
    if let read: Value = value(name) { field = read } else { isWhole = false }
  }

  /// The source, without which a record tells nothing; its name is left out where it is the kind's word.
  mutating func source(_ source: inout SourceID) {
    if record == nil {
      write("source", source.kind.json)
      return write("sourceName", source.ownName.map { .string($0) })
    }
    let (kind, name): (SourceKind?, String?) = (value("source"), value("sourceName"))
    guard let kind, let read = SourceID(kind: kind.rawValue, name: name) else { return lacks() }
    source = read
  }

  /// A field that every record has. One of another version or a forged one may lack it; then it stays as it is.
  mutating func field<Value: RecordValue>(_ name: String, _ field: inout Value) {
    if record == nil { return write(name, field.json) }
    field = value(name) ?? field
  }

  /// A field that is left out of a record when it is nil.
  mutating func field<Value: RecordValue>(_ name: String, _ field: inout Value?) {
    if record == nil { write(name, field?.json) } else { field = value(name) }
  }

  /// A field that may be missing, and makes a record tell nothing where it has another form.
  mutating func whole<Value: RecordValue>(_ name: String, _ field: inout Value?) {
    self.field(name, &field)
    if let record, field == nil, record[name] != nil { lacks() }
  }

  /// A text, of which at most `limit` characters are kept, or nil.
  mutating func text(_ name: String, _ field: inout String?, limit: Int) {
    if record == nil {
      write(name, field.map { AuditRecord.safe($0, limit: limit) })
    } else {
      field = value(name)
    }
  }

  /// A truth that is left out when it is false.
  mutating func flag(_ name: String, _ field: inout Bool) {
    if record == nil { write(name, field ? true : nil) } else { field = value(name) ?? false }
  }

  /// A list that is left out when it is empty.
  mutating func list<Value: RecordValue>(_ name: String, _ field: inout [Value]) {
    if record == nil { return write(name, field.isEmpty ? nil : field.json) }
    field = value(name) ?? []
  }

  /// A number that is written as null when it is nil.
  mutating func nullable(_ name: String, _ field: inout Int?) {
    if record == nil { write(name, JSONValue(field)) } else { field = value(name) }
  }

  /// A member that tells what another one says already, and is never read.
  mutating func told(_ name: String, _ value: @autoclosure () -> Int?) {
    if record == nil { write(name, value()?.json) }
  }

  /// The digest of a source file, whose name says whether it is keyed.
  mutating func digest(_ digest: inout SourceDigest?) {
    guard let record else {
      write("sourceSHA256", digest?.sha256)
      return write("sourceHMAC", digest?.hmac)
    }
    digest = nil
    for (name, isKeyed) in [("sourceHMAC", true), ("sourceSHA256", false)] {
      guard case .string(let text)? = record[name], let bytes = Hexadecimal.bytes(text) else {
        continue
      }
      digest = SourceDigest(bytes, isKeyed: isKeyed)
    }
  }

  /// An object with fields of its own; one that would be empty is left out.
  mutating func object(_ name: String, _ list: (inout RecordFields) -> Void) {
    guard let record else {
      var fields = RecordFields(writing: event)
      list(&fields)
      return write(name, fields.members.isEmpty ? nil : fields.object)
    }
    var members: [String: JSONValue] = [:]
    if case .object(let object)? = record[name] { members = object }
    var fields = RecordFields(reading: members, of: event, clean)
    list(&fields)
    isWhole = isWhole && fields.isWhole
  }

  /// An object of texts, which is left out when it is empty.
  mutating func texts(_ name: String, _ texts: inout [String: String]) {
    guard let record else { return write(name, texts.isEmpty ? nil : .object(texts.mapValues(\.json))) }
    texts = [:]
    guard case .object(let members)? = record[name] else { return }
    for (key, value) in members { texts[key] = String(value, clean) }
  }

  private var object: JSONValue {
    .object(Dictionary(members.map { ($0.key, $0.value) }) { $1 })
  }

  /// Notes that a record lacks what it needs, unless it is written.
  mutating func lacks() { isWhole = record == nil }
}

extension AuditRecord {
  /// Makes the record of a value.
  package init(_ body: some RecordBody) {
    var (body, fields) = (body, RecordFields(writing: type(of: body).events[0]))
    body.list(&fields)
    self.init(fields.event, fields.members)
  }
}

extension AuditEntry {
  /// Reads the record as a value of its type.
  ///
  /// - Parameters:
  ///   - type: The type of the record.
  ///   - allowsGaps: Whether fields may be missing that a record of this event needs, as for a report.
  ///   - clean: Makes a text of the record safe to show; nil if the value is not shown.
  /// - Returns: The value; nil for a record of another event, and for one that lacks a field that it needs.
  package func body<Body: RecordBody>(
    of type: Body.Type = Body.self,
    allowsGaps: Bool = false,
    clean: ((String) -> String)? = nil
  ) -> Body? {
    guard Body.events.contains(event) else { return nil }
    var (body, list) = (Body(), RecordFields(reading: fields, of: event, clean))
    body.list(&list)
    return list.isWhole || allowsGaps ? body : nil
  }
}

/// A value of a member, as a record has it.
protocol RecordValue {
  var json: JSONValue { get }

  /// Reads the value; nil when it has another form. `clean` makes a text safe to show.
  init?(_ json: JSONValue, _ clean: ((String) -> String)?)
}

extension RecordValue where Self: RawRepresentable<String> {
  var json: JSONValue { .string(rawValue) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let text) = json else { return nil }
    self.init(rawValue: text)
  }
}

extension SourceKind: RecordValue {}
extension Verdict: RecordValue {}
extension DecisionReason: RecordValue {}
extension Availability: RecordValue {}
extension MetadataPolicy: RecordValue {}
extension Enforcement: RecordValue {}
extension ItemOutcome: RecordValue {}
extension ItemReason: RecordValue {}
extension DateRules.Rule: RecordValue {}

extension String: RecordValue {
  var json: JSONValue { AuditRecord.safe(self) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let text) = json else { return nil }
    self = clean?(text) ?? text
  }
}

extension Int64: RecordValue {
  var json: JSONValue { .integer(self) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .integer(let value) = json else { return nil }
    self = value
  }
}

extension Int: RecordValue {
  var json: JSONValue { .integer(Int64(self)) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .integer(let value) = json else { return nil }
    self.init(exactly: value)
  }
}

extension UInt64: RecordValue {
  // Device and inode numbers are 64 bits without a sign; JSON's readers are not all so wide.
  var json: JSONValue { .string(String(self)) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let text) = json else { return nil }
    self.init(text)
  }
}

extension Bool: RecordValue {
  var json: JSONValue { .bool(self) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .bool(let value) = json else { return nil }
    self = value
  }
}

extension Array: RecordValue where Element: RecordValue {
  var json: JSONValue { .array(map(\.json)) }

  /// Leaves out the elements that are not understood.
  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .array(let values) = json else { return nil }
    self = values.compactMap { Element($0, clean) }
  }
}

extension ItemPath: RecordValue {
  var json: JSONValue { .string(text) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let text) = json else { return nil }
    self.init(bytes: EscapedText.bytes(percentEscaped: text))
  }
}

extension AuthorizationStatus: RecordValue {
  var json: JSONValue { .string(name) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let name) = json else { return nil }
    self.init(name: name)
  }
}

extension AccessLevel: RecordValue {
  var json: JSONValue { .string(name) }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    self = json == .string(AccessLevel.addOnly.name) ? .addOnly : .readWrite
  }
}

extension DateRules: RecordValue {
  var json: JSONValue { rules.json }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard let rules = [Rule](json, clean) else { return nil }
    self.init(Set(rules))
  }
}

extension OutputFile: RecordValue {
  var json: JSONValue { .object(members) }

  var members: [String: JSONValue] {
    var members = ["path": path.json, "sha256": .string(sha256), "bytes": bytes.json]
    if let pixelSize {
      members["width"] = pixelSize.width.json
      members["height"] = pixelSize.height.json
    }
    return members
  }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .object(let members) = json, case .string(let path)? = members["path"],
      case .string(let sha256)? = members["sha256"], case .integer(let bytes)? = members["bytes"],
      let count = Int(exactly: bytes)
    else { return nil }
    self.init(path: ItemPath(bytes: EscapedText.bytes(percentEscaped: path)), sha256: sha256, bytes: count)
    if case .integer(let width)? = members["width"], case .integer(let height)? = members["height"],
      let width = Int(exactly: width), let height = Int(exactly: height)
    {
      pixelSize = PixelSize(width: width, height: height)
    }
  }
}

extension ManifestSignature: RecordValue {
  /// The member of a record, as reports have it too.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "signedBy": signedBy.json, "allowedSignersLine": allowedSignersLine.json,
      "fingerprint": fingerprint.json,
      "sha256": sha256.json, "verifiedAt": verifiedAt.json, "serial": serial.json,
    ]
    members["signedAt"] = signedAt?.json
    return .object(members)
  }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .object(let members) = json else { return nil }
    func read<Value: RecordValue>(_ name: String) -> Value? { members[name].flatMap { Value($0, clean) } }
    guard let signedBy: String = read("signedBy"), let line: Int = read("allowedSignersLine"),
      let fingerprint: String = read("fingerprint"), let sha256: String = read("sha256"),
      let verifiedAt: String = read("verifiedAt"), let serial: Int = read("serial")
    else { return nil }
    self.init(
      signedBy: signedBy,
      allowedSignersLine: line,
      fingerprint: fingerprint,
      sha256: sha256,
      verifiedAt: verifiedAt,
      serial: serial,
      signedAt: read("signedAt")
    )
  }
}

extension CatalogueContent: RecordValue {
  var json: JSONValue { ["schema": .string(schema), "sha256": .string(sha256)] }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .object(let members) = json, case .string(let schema)? = members["schema"],
      case .string(let sha256)? = members["sha256"]
    else { return nil }
    self.init(schema: schema, sha256: sha256)
  }
}
