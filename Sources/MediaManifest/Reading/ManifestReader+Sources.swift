internal import MediaModel
internal import MediaSyntax

extension ManifestChecker {
  mutating func sources(_ node: JSONNode) -> [SourceKind: SourceDeclaration] {
    let path = JSONPath.member(JSONPath.root, "sources")
    let keys = KeySet(known: SourceKind.allCases.map(\.rawValue))
    guard let object = object(node, path: path, keys: keys) else { return [:] }
    var sources: [SourceKind: SourceDeclaration] = [:]
    for kind in SourceKind.allCases {
      guard let member = object.member(kind.rawValue) else { continue }
      sources[kind] = source(kind, member, path: object.path(of: kind.rawValue))
    }
    return sources
  }

  private func keys(of kind: SourceKind) -> KeySet {
    var keys = KeySet(
      known: [
        "path", "authorizationStatus", "required", "metadata", "crossMounts", "hardLinks",
      ]
    )
    let special: [(String, SourceKind)] = [
      ("capture", .camera), ("fetch", .library), ("selection", .library),
      ("pick", .library),
    ]
    for (key, owner) in special {
      if owner == kind {
        keys.known.append(key)
      } else {
        keys.elsewhere[key] = "the \(owner.displayName) only"
      }
    }
    return keys
  }

  private mutating func source(
    _ kind: SourceKind,
    _ member: JSONMember,
    path: String
  ) -> SourceDeclaration? {
    guard let object = object(member.value, path: path, keys: keys(of: kind)) else { return nil }
    var declaration = SourceDeclaration(position: member.keyPosition)
    let pathMember =
      kind == .microphone ? object.member("path") : required("path", in: object)
    declaration.path = self.path(pathMember, in: object)
    declaration.position = pathMember?.value.position ?? member.keyPosition
    let statuses = object.member("authorizationStatus").map {
      self.statuses($0.value, of: kind, path: object.path(of: "authorizationStatus"))
    }
    let status = statuses?.readWrite
    declaration.authorizationStatus = status ?? .notDetermined
    declaration.addOnlyStatus = statuses?.addOnly
    declaration.required = flag(object.member("required"), in: object)
    declaration.crossMounts = flag(object.member("crossMounts"), in: object) ?? false
    declaration.hardLinks =
      word(object.member("hardLinks"), in: object, as: HardLinkPolicy.self) ?? .refuse
    declaration.metadata = object.member("metadata").flatMap {
      metadata($0.value, path: object.path(of: "metadata"))
    }
    if kind == .camera, let capture = object.member("capture") {
      declaration.captureMode =
        captureMode(capture.value, path: object.path(of: "capture")) ?? .photo
    }
    if kind == .library, let fetch = object.member("fetch") {
      declaration.mediaTypes = mediaTypes(fetch.value, path: object.path(of: "fetch"))
    }
    if kind == .library, let pick = object.member("pick") {
      declaration.pick = self.pick(pick.value, path: object.path(of: "pick"))
    }
    if kind == .library, let selection = object.member("selection") {
      declaration.selection = self.selection(selection.value, path: object.path(of: "selection"))
      if status == .authorized {
        report(
          ValueIssue(
            .selectionBesideAuthorized,
            "a selection beside \"authorized\", which allows everything; "
              + "write \"limited\", or leave the selection out"
          ),
          at: selection.keyPosition,
          path: object.path(of: "selection")
        )
      }
    }
    return declaration
  }

  private mutating func captureMode(_ node: JSONNode, path: String) -> CaptureMode? {
    guard let object = object(node, path: path, keys: KeySet(known: ["mode"])) else { return nil }
    return word(object.member("mode"), in: object, as: CaptureMode.self)
  }

  private mutating func pick(_ node: JSONNode, path: String) -> PickRequest? {
    let keys = KeySet(known: ["limit", "filter"])
    guard let object = object(node, path: path, keys: keys) else { return nil }
    var request = PickRequest()
    if let limit = object.member("limit") {
      request.limit =
        integer(
          limit.value,
          path: object.path(of: "limit"),
          range: 0...PickRequest.maximumLimit
        ) ?? request.limit
    }
    request.filter = word(object.member("filter"), in: object, as: PickFilter.self)
    return request
  }

  private mutating func mediaTypes(_ node: JSONNode, path: String) -> Set<MediaType>? {
    let keys = KeySet(
      known: ["mediaTypes"],
      later: [
        "mediaSubtypes", "subtypes", "album", "smartAlbum", "predicate", "sort",
        "sortDescriptors", "limit", "fetchLimit",
      ]
    )
    guard let object = object(node, path: path, keys: keys),
      let member = object.member("mediaTypes")
    else { return nil }
    let listPath = object.path(of: "mediaTypes")
    guard case .array(let elements) = member.value.value else {
      reportWrongType(member.value, path: listPath, expected: "a list")
      return nil
    }
    if elements.isEmpty {
      report(
        ValueIssue(
          .outOfRange,
          "the list is empty, so nothing would be read",
          allowed: MediaType.allCases.map(\.rawValue)
        ),
        at: member.value.position,
        path: listPath
      )
    }
    var types: Set<MediaType> = []
    for (index, element) in elements.enumerated() {
      let elementPath = JSONPath.element(listPath, index)
      let words = MediaType.allCases.map { ($0.rawValue, $0) }
      guard let type = word(element, path: elementPath, words: words) else { continue }
      if !types.insert(type).inserted {
        report(
          ValueIssue(.duplicateValue, "\"\(type.rawValue)\" is in the list already"),
          at: element.position,
          path: elementPath
        )
      }
    }
    return types
  }

  private mutating func selection(_ node: JSONNode, path: String) -> [SelectionPattern]? {
    guard case .array(let elements) = node.value else {
      reportWrongType(node, path: path, expected: "a list")
      return nil
    }
    if elements.count > SelectionPattern.maximumCount {
      report(
        ValueIssue(
          .outOfRange,
          "more than \(SelectionPattern.maximumCount) patterns in a selection"
        ),
        at: node.position,
        path: path
      )
      return nil
    }
    var patterns: [SelectionPattern] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.value else {
        reportWrongType(element, path: JSONPath.element(path, index), expected: "a string")
        continue
      }
      do throws(ValueIssue) {
        patterns.append(try SelectionPattern(text))
      } catch {
        report(error, at: element.position, path: JSONPath.element(path, index))
      }
    }
    return patterns
  }
}
