internal import MediaModel
internal import MediaSyntax

/// The keys of the sources.
enum SourceKeys {
  private typealias Key = ManifestKey<SourceDeclaration>

  /// The most sources of one kind.
  private static let maximumCount = 100

  static var sources: ObjectKeys<Manifest> {
    ObjectKeys(
      SourceKind.allCases.map(source),
      check: { checker, object, manifest in
        guard manifest.addsToPhotoLibrary, let camera = object["camera"] else { return }
        let libraries = manifest.sources.of(.library)
        if libraries.contains(where: { !$0.value.layout.isFolder }) {
          checker.report(
            .notApplicable,
            "\"savesCapturedPhotosToPhotoLibrary\" adds files to a folder; nothing is written to a camera (\"kind\": "
              + "\"ptp\")",
            at: camera,
            atKey: true
          )
        }
        if libraries.count > 1 {
          checker.report(
            .notApplicable,
            "\"savesCapturedPhotosToPhotoLibrary\" adds to one photo library, and this manifest has several; write "
              + "a manifest of its own for the camera",
            at: camera,
            atKey: true
          )
        }
        guard object["library"] == nil else { return }
        checker.report(
          .missingKey,
          "\"savesCapturedPhotosToPhotoLibrary\" needs the photo library: \"library\": "
            + "{ \"path\": \"Photos\", \"authorizationStatus\": { \"addOnly\": \"authorized\" } }",
          at: camera,
          atKey: true
        )
      }
    )
  }

  private static func source(_ kind: SourceKind) -> ManifestKey<Manifest> {
    let meaning =
      switch kind {
      case .camera: "photos and videos that were captured"
      case .library: "the photo library: what a person has collected"
      case .microphone: "sound"
      }
    let keys = keys(of: kind)
    return ManifestKey(
      kind.rawValue,
      .sources(keys.descriptions),
      read: { checker, field, manifest in
        guard case .array = field.node.value else {
          return read(field, nil, of: kind, keys, &checker, &manifest)
        }
        let elements = checker.list(field, limit: maximumCount, of: "sources of one kind") ?? []
        for (index, element) in elements.enumerated() {
          read(element, index, of: kind, keys, &checker, &manifest)
        }
        if case .array(let nodes) = field.node.value, nodes.isEmpty {
          checker.report(.outOfRange, "the list has no source", at: field)
        }
      },
      compare: { compare(&$0, kind, keys, &$1, $2, $3) }
    )
    .byDefault("–").meaning(meaning)
  }

  /// Reads a source, which in a list has a place and a name.
  private static func read(
    _ field: Field,
    _ index: Int?,
    of kind: SourceKind,
    _ keys: ObjectKeys<SourceDeclaration>,
    _ checker: inout ManifestChecker,
    _ manifest: inout Manifest
  ) {
    var declaration = keys.blank
    declaration.listIndex = index
    keys.read(&checker, field, into: &declaration)
    guard case .object(let members) = field.node.value else { return }
    let name = CheckedObject(members: members, field: field)["name"]
    if index != nil, name == nil {
      checker.report(
        ValueIssue(.missingKey, "each source of a list needs a \"name\"", example: #""name": "Holidays""#),
        at: field.node.position,
        path: field.path
      )
    }
    let source = SourceID(kind, name: declaration.name)
    // Swift's `==` of texts, unlike that of sources: names that look the same would tell a person nothing.
    guard !manifest.sources.keys.contains(where: { $0.name == source.name }) else {
      if let name, declaration.name != nil {
        checker.report(
          .duplicateValue,
          "another source is called \(Spelling.quoted(source.name)); a library knows a source by its name",
          at: name
        )
      }
      return
    }
    manifest.sources[source] = declaration
  }

  /// Compares the sources of a kind, each with that of its name.
  private static func compare(
    _ comparison: inout ManifestComparison,
    _ kind: SourceKind,
    _ keys: ObjectKeys<SourceDeclaration>,
    _ old: inout Manifest,
    _ new: Manifest,
    _ path: String
  ) {
    for (source, now) in new.sources.of(kind) {
      comparison.source = source
      let sourcePath = now.listIndex.map { JSONPath.element(path, $0) } ?? path
      if var before = old.sources[source] {
        keys.compare(&comparison, &before, now, sourcePath)
        old.sources[source] = before
      } else {
        comparison.note(sourcePath, nil, json(now), "The \(source.displayName) is new.")
        old.sources[source] = now
      }
    }
    for (source, before) in old.sources.of(kind) where new.sources[source] == nil {
      let isNeeded =
        kind == .microphone && new.sources.of(.camera).contains { $0.value.captureMode.needsSound }
      comparison.note(
        before.listIndex.map { JSONPath.element(path, $0) } ?? path,
        json(before),
        nil,
        isNeeded
          ? "The \(source.displayName) is left out, but the camera's sound still needs it."
          : "The \(source.displayName) is left out.",
        // Leaving out a source that was refused or limited also ends what refuses hard links to it.
        before.authorizationStatus == .authorized && !isNeeded ? .sourceLeftOut : nil
      )
      old.sources[source] = nil
    }
  }

  private static func json(_ declaration: SourceDeclaration) -> String {
    declaration.path.map(ComparisonText.quoted) ?? "{}"
  }

  /// The name of a source, which may not be the word of another kind.
  private static func name(of kind: SourceKind) -> Key {
    Key(
      "name",
      .sourceName,
      read: { checker, field, source in
        let limit = SourceID.maximumNameLength
        guard let text = checker.text(field, limit: limit, blank: "the name is blank") else { return }
        guard SourceID.isName(text) else {
          checker.report(
            .invalidText,
            "a name must have printable characters only, and no space at either end",
            at: field
          )
          return
        }
        if let other = SourceKind(rawValue: text), other != kind {
          checker.report(.invalidText, "\"\(text)\" is the key of another kind of source", at: field)
        } else {
          source.name = text
        }
      },
      // Sources are compared by their names.
      compare: { _, old, new, _ in old.name = new.name }
    )
    .byDefault("the word")
    .meaning("what the library calls the source; see below")
  }

  private static func keys(of kind: SourceKind) -> ObjectKeys<SourceDeclaration> {
    let special: [(key: Key, owner: SourceKind)] = [
      (capture, .camera), (fetch, .library), (selection, .library), (pick, .library),
    ]
    var elsewhere: [String: String] = [:]
    for (key, owner) in special where owner != kind {
      elsewhere[key.name] = "the \(owner.displayName) only"
    }
    if kind == .microphone { elsewhere["kind"] = "the camera and the photo library only" }
    let layouts = kind == .microphone ? [] : [layout(of: kind)]
    return ObjectKeys(
      blank: SourceDeclaration(),
      elsewhere: elsewhere,
      keys: [name(of: kind)] + common(kind) + layouts + special.filter { $0.owner == kind }.map(\.key),
      check: { checker, object, source in
        source.position = object["path"]?.node.position ?? object.field.keyPosition
        if !source.layout.isFolder { checkCamera(&checker, object, source) }
        if let field = object["tracks"], source.tracks.contains(where: { $0.folderOfFiles == nil }) {
          checker.report(
            .invalidPattern,
            "a track's folder has no wildcards: write \"tracks/*.gpx\"",
            at: field
          )
        }
        guard kind == .library, source.authorizationStatus == .authorized,
          let field = object["selection"]
        else { return }
        checker.report(
          .selectionBesideAuthorized,
          "\"authorized\" allows everything, so a selection has no effect; write \"limited\", or leave it out",
          at: field,
          atKey: true
        )
      }
    )
  }

  /// Checks what a source says that is a camera and no folder.
  private static func checkCamera(
    _ checker: inout ManifestChecker,
    _ object: CheckedObject,
    _ source: SourceDeclaration
  ) {
    if let path = source.path, CameraSelection(path) == nil, let field = object["path"] {
      checker.report(.invalidText, CameraSelection.allowed, at: field)
    }
  }

  private static func common(_ kind: SourceKind) -> [Key] {
    [
      Key("path", path: \.path, "The folder").required(kind != .microphone, such: #""Photos""#)
        .meaning("its folder; of a `ptp` the camera, such as `usb:`; optional for the microphone"),
      StatusKeys.status(of: kind),
      Key(
        "required",
        \.required,
        .optional(.flag),
        .when(.requiredNow) { $0.now == true || $0.before == false }
      ) {
        $0.narrowing == nil
          ? "A run without it may succeed where it did not."
          : "A run without it fails where it did not."
      }
      .byDefault("from the status")
      .meaning(
        "whether a run without it has failed: true for `authorized`, `limited`, and for "
          + "`notDetermined` unless `onNotDetermined` is `deny` or a person has denied it; false for "
          + "`denied`, `restricted`"
      ),
      MetadataKeys.ofSource,
    ] + exclusions + [dates] + tracks
  }

  /// The keys that say which files of its folder are left out.
  private static var exclusions: [Key] {
    [
      Key("crossMounts", \.crossMounts, .flag, leavingOut(.mountsNotCrossed) { !$0.now }) {
        "File systems mounted within it are \($0.now ? "" : "not ")entered."
      }
      .meaning("whether file systems mounted within the source are entered"),
      Key("hardLinks", \.hardLinks, .word, leavingOut(.hardLinksRefused) { $0.now == .refuse }) {
        "A file that also has a name in a refused source "
          + ($0.now == .allow ? "may be read." : "is refused.")
      }
      .meaning(
        "`refuse`, `allow`: a file with more than one name, while a source on its disk is refused or limited"
      ),
      Key(
        "ignore",
        \.ignore,
        .patterns,
        leavingOut(.ignoreMore) { Set($0.now).isSuperset(of: $0.before) }
      ) { $0.narrowing == nil ? "Other files are left out." : "More files are left out." }
      .byDefault("nothing")
      .meaning("patterns of files and folders that are left out, counted as ignored; see below"),
      Key("ignoreDefaults", \.ignoresDefaults, .flag, leavingOut(.ignoreMore) { $0.now }) {
        "What other programs keep beside media is \($0.now ? "" : "not ")left out."
      }
      .meaning(
        "whether trash, unfinished files, caches and versions of other programs "
          + "([names](sources.md#what-is-put-away-thrown-away-or-unfinished)), folders with a `.nomedia` file, "
          + "all but the originals of a `.photoslibrary`, and what cameras keep beside media on a card are left "
          + "out too"
      ),
    ]
  }

  /// A change that leaves out files is on the list, unless others may be imported instead.
  private static func leavingOut<Value>(
    _ narrowing: Narrowing,
    _ isNarrower: @escaping (Change<SourceDeclaration, Value>) -> Bool
  ) -> NarrowingRule<SourceDeclaration, Value> {
    .when(narrowing) { isNarrower($0) && !$0.oldManifest.mayReplaceFiles(of: $0.source) }
  }

  private static var tracks: [Key] {
    [
      Key(
        "tracks",
        \.tracks,
        .patterns(relativeTo: "the manifest's folder"),
        changed: "Other GPS tracks are read."
      )
      .byDefault("nothing")
      .meaning(
        "patterns of GPX files, relative to the manifest; only the last component has wildcards. They give "
          + "a place to what has none; see [sources.md](sources.md#gps-tracks)"
      ),
      Key(
        "maximumGap",
        \.maximumGap,
        .integer(0...3600),
        changed: "A point of a track counts for other moments."
      )
      .meaning("the seconds within which a point of a track has to be"),
    ]
  }

  private static var dates: Key {
    let timeZone = Key("timeZone", \.dates.timeZone, .optional(.timeZone), correcting()) {
      $0.now == nil
        ? "Dates without an offset from UTC have none, and those in UTC stay so."
        : "Dates without an offset from UTC are of this time zone, and those in UTC become its local time."
    }
    .byDefault("none")
    .meaning(
      "such as `Europe/Berlin`, a name of the IANA time zone database: the zone of the clocks that made the "
        + "files. A date without an offset from UTC has that of the zone, in summer and in winter, and one in "
        + "UTC becomes its local time; see [dates](dates-and-sidecars.md)"
    )
    let shift = Key(
      "shift",
      \.dates.shifts,
      ShiftKeys.list,
      correcting(),
      changed: "Dates of clocks that were wrong are corrected in another way."
    )
    .byDefault("nothing")
    .meaning(
      "clocks that were wrong, such as `{ \"by\": \"+01:02:30\", \"where\": \"camera == 'Panasonic DMC-TZ7'\", "
        + "\"from\": \"2019-07-04\", \"to\": \"2019-07-18\" }`: what is added to the dates of files that "
        + "meet a [condition](library.md#predicates), from one date of the wrong clock to another. All but "
        + "`by` may be left out, and the first that fits counts; see [dates](dates-and-sidecars.md)"
    )
    let about = Key(
      "about",
      \.dates.about,
      AboutKeys.list,
      correcting(),
      changed: "Dates that a person states of files are other ones."
    )
    .byDefault("nothing")
    .meaning(
      "dates that a person states of files which do not say them, such as scans: `{ \"path\": \"Scans/1978/**\", "
        + "\"date\": \"1978~\" }`, a pattern and a year, a month or a day, with `~` where it is approximate. The "
        + "first pattern that fits counts; see [dates](dates-and-sidecars.md)"
    )
    return Key(
      "dates",
      ObjectKeys(
        blank: SourceDeclaration(),
        keys: [timeZone, shift, about],
        check: { _, object, source in
          source.dates.timeZonePosition = object["timeZone"]?.node.position ?? .start
        }
      )
    )
  }

  /// A change of how dates are corrected is on the list, unless what is fetched, or places of tracks, depend on
  /// dates.
  private static func correcting<Value>() -> NarrowingRule<SourceDeclaration, Value> {
    .when(.datesCorrected) { change in
      // A track has another place, or one at all, at another moment.
      change.new.tracks.isEmpty
        && [change.old, change.new].allSatisfy { !$0.fetchesByContent }
    }
  }

  private static func layout(of kind: SourceKind) -> Key {
    Key(
      "kind",
      \.layout,
      .word(of: SourceLayout.allowed(for: kind)),
      changed: "Its files are taken for another arrangement."
    )
    .meaning(
      kind == .camera
        ? "`folder`; `ptp`: a connected camera or phone; see [sources.md](sources.md)"
        : "`folder`; `takeout`: an export of Google Photos, unpacked or as zip or tgz files; `photosLibrary`: a "
          + "library of Apple Photos; `iCloudExport`: an export of iCloud Photos by privacy.apple.com, unpacked or as "
          + "zip files; `ptp`: a connected camera or phone; see [sources.md](sources.md)"
    )
  }

  private static var capture: Key {
    let mode = Key(
      "mode",
      \.captureMode,
      .word,
      .when(.captureModePhoto) { $0.now == .photo && !$0.oldManifest.mayRefuseLivePhotos },
      changed: "The camera's folder is taken for something else."
    )
    .meaning(
      "`photo` (a live photo gives its still), `photoAndLivePhoto` (no other video), `photoAndVideo` "
        + "(live photos too, as on a phone's card)"
    )
    let saves = Key(
      "savesCapturedPhotosToPhotoLibrary",
      \.savesToPhotoLibrary,
      .flag,
      // A photo library that was only added to would be read, if a person has allowed that.
      .when(.capturesNotSaved) {
        !$0.now && !$0.oldManifest.onlyAddsToPhotoLibrary && !$0.oldManifest.fetchesByContent
      }
    ) {
      $0.now
        ? "What is imported from the camera is added to the photo library."
        : "Nothing is added to the photo library."
    }
    .meaning(
      "`true`: what is imported from the camera, photos, live photos and videos, is added to the photo "
        + "library too, byte for byte; see below"
    )
    return Key("capture", ObjectKeys(blank: SourceDeclaration(), keys: [mode, saves]))
  }

  private static var fetch: Key {
    let all = Set(MediaType.allCases)
    let mediaTypes = Key(
      "mediaTypes",
      \.mediaTypes,
      .mediaTypes,
      FetchKeys.unlimited(.mediaTypesFewer) { ($0.now ?? all).isSubset(of: $0.before ?? all) }
    ) { $0.narrowing == nil ? "Other files are read." : "Fewer media types are read." }
    .byDefault("all").meaning("`image`, `video`, `audio`; each once, at least one")
    return Key("fetch", ObjectKeys(blank: SourceDeclaration(), keys: [mediaTypes] + FetchKeys.all))
  }

  private static var selection: Key {
    Key(
      "selection",
      .patterns,
      read: { checker, field, source in
        let limit = SelectionPattern.maximumCount
        let elements = checker.list(field, limit: limit, of: "patterns in a selection")
        source.selection = elements?.compactMap { element in
          checker.text(element) { text throws(ValueIssue) in try SelectionPattern(text) }
        }
      },
      compare: { comparison, old, new, path in
        comparison.compareSelection(old, new, path)
        old.selection = new.selection
      }
    )
    .byDefault("nothing").meaning("under `limited`: what a person picked; at most 100,000")
  }

  private static var pick: Key {
    var limit = ValueType.integer(0...PickRequest.maximumLimit)
    limit.isSame = { PickRequest(limit: $0).maximumCount == PickRequest(limit: $1).maximumCount }
    let keys: [ManifestKey<PickRequest>] = [
      ManifestKey(
        "limit",
        \.limit,
        limit,
        .when(.pickFewer) { $0.new.maximumCount < $0.old.maximumCount },
        changed: "Another number of items may be picked."
      )
      .meaning("how many may be picked, 0 to 100,000; `0` sets no limit of its own"),
      ManifestKey(
        "filter",
        \.filter,
        .pickFilter,
        .when(.pickFewer) {
          $0.before.isEmpty
            || !$0.now.isEmpty && $0.now.listedKinds.isSubset(of: $0.before.listedKinds)
        },
        changed: "Other items may be picked."
      )
      .byDefault("none")
      .meaning(
        "`images` (live photos too), `livePhotos`, `videos`, or a list of them, of which any may be picked; without "
          + "it these and sound"
      ),
      ManifestKey("sort", \.sort, .pickOrder, changed: "Items are shown in another order.")
        .meaning(
          "the order in which they are shown: `creationDate` or `name`, each also with `:ascending` or "
            + "`:descending`; the date is that of the last change where no other is known"
        ),
    ]
    return Key(
      "pick",
      \.pick,
      keys: ObjectKeys(blank: PickRequest(), keys: keys),
      .when(.pickLeftOut) {
        $0.now == nil && [.denied, .restricted].contains($0.new.authorizationStatus)
      }
    ) {
      if $0.before == nil { return "A person is asked to pick, whatever the status is." }
      return $0.narrowing == nil
        ? "Nobody picks any more; the status alone says what is read." : "Nobody picks any more."
    }
    .meaning("a person is asked to pick items; see [permissions.md](permissions.md#picking)")
  }
}
