internal import MediaManifest
internal import MediaModel
package import MediaSyntax

/// Receipts of answers, with what proves them: the chain of the store, and the logs that quote it.
package struct ConsentReceipts: Sendable {
  /// A log that quotes the chain in its first record.
  package struct Quote: Sendable {
    /// The name of the log's file.
    package var log: String
    package var head: String

    package init(log: String, head: String) {
      (self.log, self.head) = (log, head)
    }
  }

  /// In the order of the chain.
  package private(set) var receipts: [ConsentReceipt] = []
  private let transitions: [StoredTransition]
  private let tellsNames: Bool
  private let user: String
  private let quotes: [Quote]

  /// - Parameters:
  ///   - transitions: The whole chain.
  ///   - answers: Those that are stored now, for words and patterns.
  ///   - texts: Usage descriptions besides those of the answers.
  ///   - quotes: The logs that quote a head of the chain; others are passed over.
  ///   - user: The user whose answers they are.
  ///   - tellsNames: Whether names of files, folders and sources are told, and the chain's records, which have them.
  ///   - isChosen: Whether there is to be a receipt of a change.
  ///   - present: Reads what a manifest says by now, once for each absolute path; nil for one that cannot be read.
  package init(
    of transitions: [StoredTransition],
    answers: [StoredAnswer],
    texts: [String],
    quotes: [Quote],
    user: String,
    tellsNames: Bool,
    isChosen: (StoredTransition) -> Bool,
    present: (_ path: [UInt8]) -> ConsentReceipt.Present?
  ) {
    (self.transitions, self.tellsNames, self.user) = (transitions, tellsNames, user)
    let heads = Set(transitions.map(\.hash))
    self.quotes = quotes.filter { heads.contains($0.head) }
    var words: [String: String] = [:]
    for text in texts + answers.compactMap(\.binding.usageText) {
      words[StoreTransition.hash(Array(text.utf8))] = text
    }
    var selections: [String: [String]] = [:]
    for answer in answers where tellsNames && answer.status == .limited {
      selections[StoreTransition.digest(of: answer.selection)] = answer.selection
    }
    var manifests: [[UInt8]: ConsentReceipt.Present?] = [:]
    var earlier: [[String]: ToldAnswer] = [:]
    for transition in transitions {
      let key = [
        transition.client, transition.source.kind.rawValue, transition.source.name, transition.level.name,
        transition.manifest,
      ]
      let receipt = ConsentReceipt(transition, after: earlier[key])
      earlier[key] = transition.answer
      guard var receipt, isChosen(transition) else { continue }
      receipt.words = receipt.answer.flatMap { words[$0.usageTextSHA256] }
      receipt.selected = receipt.answer?.selection.flatMap { selections[$0.sha256] } ?? []
      let path = EscapedText.bytes(percentEscaped: transition.manifest)
      receipt.present = manifests[path] ?? present(path)
      manifests[path] = .some(receipt.present)
      receipt.tellsNames = tellsNames
      receipts.append(receipt)
    }
  }

  /// Lines for a person.
  package var lines: [String] {
    receipts.flatMap { $0.lines + [""] }
      + ["Proof: \(Quantity.text(transitions.count, "record")), head \(transitions.last?.hash ?? "")"]
      + quotes.map { "  quoted by \(EscapedText.printable($0.log))" }
  }

  // MARK: JSON-LD

  /// The names of the vocabularies, and of the members that are mediabatch's own; nothing of it is fetched.
  private static let context: JSONValue = [
    "dct": "http://purl.org/dc/terms/", "dpv": "https://w3id.org/dpv#", "loc": "https://w3id.org/dpv/loc#",
    "mb": "urn:mediabatch:receipts/1:", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "schema": "https://schema.org/", "xsd": "http://www.w3.org/2001/XMLSchema#",
  ]

  /// The receipts as JSON-LD 1.1; `created` is the time of it.
  ///
  /// Source: docs/spec/stored-answers.md, section 5.
  package func document(created: String) -> JSONValue {
    [
      "@context": Self.context,
      "@graph": .array(receipts.map { node($0, created) } + (receipts.isEmpty ? [] : [chain])),
    ]
  }

  private var chain: JSONValue {
    var members: [String: JSONValue] = [
      "@id": .string("urn:mediabatch:answers:\(transitions.last?.hash ?? "")"), "@type": "mb:Chain",
      "mb:head": JSONValue(transitions.last?.hash), "mb:records": JSONValue(transitions.count),
      "mb:quotedBy": .array(
        quotes.map { ["@type": "mb:Quote", "mb:log": .string($0.log), "mb:head": .string($0.head)] }
      ),
    ]
    if tellsNames, let first = receipts.first?.transition.sequence {
      let records = transitions.filter { $0.sequence >= first }.map(\.record)
      members["mb:chain"] = ["@list": records.json]
    }
    return .object(members)
  }

  /// A receipt of what is or was a consent; a refusal has its record alone.
  private func node(_ receipt: ConsentReceipt, _ created: String) -> JSONValue {
    let record = record(receipt)
    guard receipt.isOfConsent else { return .object(record) }
    let name = "urn:mediabatch:receipt:\(receipt.transition.hash)"
    return [
      "@id": .string(name), "@type": "dpv:ConsentReceipt", "dct:identifier": .string(name),
      "dct:conformsTo": ["@id": "https://w3id.org/dpv/schema/dpv-27560#receipt"],
      "dct:created": Self.time(created), "schema:recipient": ["@id": "dpv:DataSubject"],
      "dpv:hasRecordOfActivity": .object(record),
    ]
  }

  private func record(_ receipt: ConsentReceipt) -> [String: JSONValue] {
    let (transition, manifest) = (receipt.transition, receipt.present?.manifest)
    let name = "urn:mediabatch:answer:\(transition.hash)"
    var members: [String: JSONValue] = [
      "@id": .string(name), "@type": "dpv:ConsentRecord", "dct:identifier": .string(name),
      "dct:conformsTo": ["@id": "https://w3id.org/dpv/schema/dpv-27560#record"],
      "dpv:hasDataSubject": ["@type": "dpv:DataSubject", "dct:identifier": .string(user)],
      "dpv:hasProcess": .object(process(receipt)), "dpv:hasNotice": .array(notices(receipt)),
      "dpv:hasConsentStatus": .object(status(receipt)),
      "mb:seq": JSONValue(transition.sequence), "mb:hash": .string(transition.hash),
      "mb:notStated": receipt.notStated.json,
    ]
    if let controller = manifest?.controller, let name = controller.name {
      var party: [String: JSONValue] = ["@type": "dpv:DataController", "dpv:hasName": .string(name)]
      party["dpv:hasContact"] = controller.contact.map(JSONValue.string)
      members["dpv:hasDataController"] = .object(party)
    }
    if let jurisdiction = manifest?.jurisdiction {
      members["dpv:hasJurisdiction"] =
        Self.isCode(jurisdiction) ? ["@id": .string("loc:\(jurisdiction)")] : .string(jurisdiction)
    }
    members["dct:language"] = receipt.answer?.language.map(JSONValue.string)
    members["mb:manifestSHA256"] = (receipt.present?.sha256).map(JSONValue.string)
    if receipt.isAnswer {
      members["dpv:hasConsentControl"] = [
        "@type": receipt.isConsent ? "dpv:WithdrawConsent" : "dpv:ProvideConsent",
        "dct:description": .string(receipt.takingBack),
      ]
    }
    guard tellsNames else { return members }
    members["mb:manifest"] = .string(transition.manifest)
    members["mb:folder"] = receipt.answer?.folder.map(JSONValue.string)
    if !receipt.selected.isEmpty { members["mb:selected"] = ["@list": receipt.selected.json] }
    return members
  }

  /// What is done if the answer is a grant.
  private func process(_ receipt: ConsentReceipt) -> [String: JSONValue] {
    let transition = receipt.transition
    let isRead = transition.level == .readWrite
    let data =
      switch transition.source.kind {
      case .camera: "photos and videos that were captured"
      case .library: isRead ? "photos and videos of the photo library" : "photos and videos that are added"
      case .microphone: "sound"
      }
    let verbs = isRead ? ["dpv:Collect", "dpv:Copy", "dpv:Store"] : ["dpv:Store"]
    var service: [String: JSONValue] = ["@type": "dpv:Service", "dct:identifier": .string(transition.client)]
    service["dct:title"] = (receipt.present?.manifest.client.name).map(JSONValue.string)
    var members: [String: JSONValue] = [
      "@type": "dpv:Process", "dct:title": .string(receipt.sourceText), "dpv:hasService": .object(service),
      "dpv:hasPersonalData": ["@type": "dpv:PersonalData", "dct:title": .string(data)],
      "dpv:hasProcessing": .array(verbs.map { ["@id": .string($0)] }),
      "mb:source": .string(transition.source.kind.rawValue), "mb:level": .string(transition.level.name),
    ]
    if let words = receipt.words {
      members["dpv:hasPurpose"] = ["@type": "dpv:Purpose", "dct:description": Self.text(words, receipt)]
    }
    if receipt.isConsent { members["dpv:hasLegalBasis"] = ["@id": "dpv:ExplicitlyExpressedConsent"] }
    return members
  }

  /// What the person was shown.
  private func notices(_ receipt: ConsentReceipt) -> [JSONValue] {
    var notice: [String: JSONValue] = ["@type": "dpv:ConsentNotice"]
    if let answer = receipt.answer {
      notice["mb:sha256"] = .string(answer.usageTextSHA256)
      notice["mb:shownCount"] = answer.shownCount.map { JSONValue($0) }
      notice["mb:selectedCount"] = answer.selection.map { JSONValue($0.count) }
      notice["dct:language"] = answer.language.map(JSONValue.string)
    }
    notice["dct:description"] = receipt.words.map { Self.text($0, receipt) }
    guard let address = receipt.present?.manifest.privacyNotice else { return [.object(notice)] }
    return [.object(notice), ["@type": "dpv:PrivacyNotice", "schema:url": .string(address)]]
  }

  private func status(_ receipt: ConsentReceipt) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "@type": .array(receipt.statuses.map { .string("dpv:\($0.rawValue)") }),
      "dpv:isIndicatedAtTime": Self.time(receipt.transition.time),
      "dpv:isIndicatedBy": ["@id": "dpv:DataSubject"],
      "mb:cause": .string(receipt.transition.cause),
    ]
    if receipt.transition.cause == "answered", let reason = receipt.answer?.reason {
      members["dpv:hasIndicationMethod"] = .string(reason.text)
    }
    guard receipt.isAnswer else { return members }
    var duration: [String: JSONValue] = [
      "@type": "dpv:UntilEventDuration", "dct:description": .string(receipt.duration),
    ]
    if receipt.answer?.isForOneRun == true {
      duration["@type"] = "dpv:FixedOccurrencesDuration"
      duration["rdf:value"] = 1
    } else if let end = receipt.answer?.expiresAt {
      duration["@type"] = "dpv:UntilTimeDuration"
      duration["rdf:value"] = Self.time(StoredAnswer.timestamp(end))
    }
    members["dpv:hasDuration"] = .object(duration)
    return members
  }

  private static func time(_ text: String) -> JSONValue {
    ["@type": "xsd:dateTime", "@value": .string(text)]
  }

  /// A text in the language in which it was shown.
  private static func text(_ words: String, _ receipt: ConsentReceipt) -> JSONValue {
    guard let language = receipt.answer?.language else { return .string(words) }
    return ["@language": .string(language), "@value": .string(words)]
  }

  /// Whether a text is a code that DPV has an identifier for: of a country, of a part of one, or `EU`.
  ///
  /// Source: ISO 3166-1 alpha-2, ISO 3166-2.
  private static func isCode(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard parts[0].count == 2, parts[0].allSatisfy(letters.contains) else { return false }
    return parts.count == 1
      || (1...3).contains(parts[1].count)
        && parts[1].allSatisfy { letters.contains($0) || $0.isASCIIDigit }
  }
}

extension [String] {
  fileprivate var json: JSONValue { .array(map { .string($0) }) }
}
