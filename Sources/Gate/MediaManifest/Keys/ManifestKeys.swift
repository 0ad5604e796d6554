internal import MediaModel
internal import MediaSyntax

/// The table of a manifest's keys: name, type, default, meaning, and which changes narrow access.
/// The reader, `check --against`, the schema and the table in `docs/manifest.md` come from it.
package enum ManifestKeys {
  /// Every key, as documents and schemas describe it.
  package static var descriptions: [KeyDescription] { manifest.descriptions }

  static var manifest: ObjectKeys<Manifest> {
    ObjectKeys(
      elsewhere: ["pick": "the photo library, $.sources.library"],
      [
        ManifestKey("$schema", .anyText) { checker, field, _ in checker.schema(field) }
          .byDefault("–").meaning("for editors; never fetched"),
        ManifestKey("version", .version) { checker, field, _ in
          checker.version(field, of: "manifests")
        }
        .required(such: "1").meaning("`1`"),
      ] + signing + [
        ManifestKey("client", client)
          .required(such: #"{ "identifier": "org.example.import" }"#)
          .meaning("who asks for access"),
        ManifestKey("usageDescriptions", usageDescriptions).byDefault("`{}`")
          .meaning("why access is wanted; see below"),
        ManifestKey("infoPlist", file: \.infoPlist, sha256: \.infoPlistSHA256, "The Info.plist") { _ in
          .infoPlistLeftOut
        }
        .byDefault("none")
        .meaning("an app's Info.plist, which has usage descriptions too; see below"),
        controller, privacyNotice, jurisdiction,
        ManifestKey("sources", SourceKeys.sources)
          .required(
            such: #"{ "library": { "path": "Photos", "authorizationStatus": "authorized" } }"#
          )
          .meaning(
            "where media comes from; read, and not written, but for what `savesCapturedPhotosToPhotoLibrary` adds"
          ),
      ] + rules + [
        MetadataKeys.ofManifest,
        ThumbnailKeys.thumbnails,
        ManifestKey("limits", limits),
        ManifestKey("acceptDamaged", \.acceptsDamaged, .flag, .becoming(false, .damagedRefused)) {
          $0.now ? "Damaged files are imported." : "Damaged files fail."
        }
        .meaning(
          "a damaged picture is imported, with thumbnails of what its decoder could show; a file that "
            + "ends early is imported too, and its asset is `degraded`"
        ),
        ManifestKey("rawUnderStrip", \.rawUnderStrip, .word, .becoming(.refuse, .rawRefused)) {
          $0.now == .refuse
            ? "Camera raw files fail under \"strip\"."
            : "The preview of a camera raw file is published under \"strip\"."
        }
        .meaning(
          "a camera raw file under `strip`, unless it is a DNG that can be stripped itself: `refuse`: "
            + "it fails; `previewOnly`: the largest JPEG preview in it is published instead, stripped, "
            + "and that of a DNG with JPEG XL, too"
        ),
        ManifestKey("onSourceChanged", \.onSourceChanged, .word, .becoming(.add, .versionsAdded)) {
          $0.now == .add
            ? "The new content of a changed file becomes an asset of its own."
            : "The new content of a changed file takes the place of the older one."
        }
        .meaning(
          "a source file with another content than was imported: `add`: an asset of its own, which "
            + "names the older one; `replace`: the new original of the same asset, if the file is whole, "
            + "has the same format and the same capture date or content identifier"
        ),
        ManifestKey("receipts", \.receipts, .word, .becoming(.classes, .receiptsClasses)) {
          $0.now == .tags
            ? "The log names the kinds of values that were removed from each file."
            : "The log counts what was removed from each file by class alone."
        }
        .meaning(
          "what the log says of the metadata that was removed from a file: `classes`: how many values "
            + "tell about a `location`, a `person`, a `device`, a `time`, are a `text`, are "
            + "`content credentials`, or are `other`; "
            + "`tags`: how many of each tag, by its name"
        ),
        ManifestKey("labels", labels),
        albums,
        ManifestKey("dates", dates),
        ManifestKey("places", places),
        ManifestKey("catalogue", catalogue),
        ManifestKey("output", output).required(such: #"{ "path": "Library" }"#),
        limitedAccessAlert,
      ],
      check: { _, object, manifest in
        manifest.limitedAccessAlertPosition = object[InfoPlist.limitedAccessAlertKey]?.keyPosition
      }
    )
  }

  /// What a signature is about beside access.
  private static var signing: [ManifestKey<Manifest>] {
    [
      ManifestKey(
        "serial",
        \.serial,
        .integer(0...Int(Int32.max)),
        .when(.signedAnew) { $0.now > $0.before }
      ) {
        $0.narrowing == nil
          ? "An older version of the manifest may count again." : "It is a later version of the manifest."
      }
      .meaning(
        "counts up with each signed version; a policy refuses versions before one "
          + "([signed manifests](permissions.md#signed-manifests))"
      ),
      ManifestKey("signedBy", \.signedBy, .optional(.name), changed: "Somebody else signs the manifest.")
        .byDefault("none")
        .meaning("who signs it, by the name in `allowed_signers`; its key has to be theirs"),
      ManifestKey(
        "signedAt",
        \.signedAt,
        .optional(.name),
        .when(.signedAnew) { _ in true },
        changed: "Its signer says that it was signed at another time."
      )
      .byDefault("none")
      .meaning("when it was signed, in the signer's words, which nothing checks"),
    ]
  }

  private static var client: ObjectKeys<Manifest> {
    ObjectKeys(
      elsewhere: infoPlistElsewhere,
      [
        ManifestKey(
          "identifier",
          \.client.identifier,
          .clientIdentifier,
          changed: "Answers and policies are bound to the identifier; those of another client "
            + "would apply."
        ).required(such: #""org.example.import""#).meaning("1 to 155 of `A-Z a-z 0-9 . -`"),
        ManifestKey("name", \.client.name, .name, changed: "A person is shown another name.")
          .byDefault("the identifier")
          .meaning("as a person knows it; 1 to 255 characters, not blank"),
      ],
      check: { _, _, manifest in
        if manifest.client.name.isEmpty { manifest.client.name = manifest.client.identifier }
      }
    )
  }

  private static var controller: ManifestKey<Manifest> {
    ManifestKey(
      "controller",
      ObjectKeys([
        ManifestKey(
          "name",
          \.controller.name,
          .optional(.name),
          changed: "Somebody else answers for what is done with what is imported."
        ).meaning(
          "who answers for what is done with what is imported, as a receipt of a person's answer says it"
        ),
        ManifestKey(
          "contact",
          \.controller.contact,
          .optional(.name),
          changed: "They are reached in another way."
        )
        .meaning("how they are reached: an address, a telephone number, a page"),
      ])
    )
  }

  private static var privacyNotice: ManifestKey<Manifest> {
    ManifestKey(
      "privacyNotice",
      \.privacyNotice,
      .optional(.name),
      changed: "A person is told to read another notice."
    )
    .meaning("the address of the privacy notice, for receipts; never fetched")
  }

  private static var jurisdiction: ManifestKey<Manifest> {
    ManifestKey(
      "jurisdiction",
      \.jurisdiction,
      .optional(.name),
      changed: "The law of another place is said to apply."
    )
    .meaning("whose law applies, for receipts: a code of ISO 3166 such as `DE` or `US-CA`, or `EU`")
  }

  private static let infoPlistElsewhere = ["infoPlist": "the top level of the manifest"]

  private static var usageDescriptions: ObjectKeys<Manifest> {
    var elsewhere = infoPlistElsewhere
    elsewhere[InfoPlist.limitedAccessAlertKey] = "the top level of the manifest"
    return ObjectKeys(
      elsewhere: elsewhere,
      UsageDescriptionKey.allCases.map { .usageDescription($0) },
      check: { _, object, manifest in
        for key in UsageDescriptionKey.allCases {
          manifest.usageDescriptionPositions[key] = object[key.rawValue]?.keyPosition
        }
      }
    )
  }

  private static var rules: [ManifestKey<Manifest>] {
    [
      ManifestKey("onNotDetermined", \.onNotDetermined, .word, .becoming(.fail, .undecidedFails)) {
        switch $0.now {
        case .ask: "A person is asked about a source that nobody has decided on."
        case .fail: "A source that nobody has decided on stops the run."
        case .deny: "A run goes on without a source that nobody has decided on."
        }
      }
      .meaning("about a source that nobody has decided on: `ask` a person, `fail` (75), or `deny` it"),
      ManifestKey("onMicrophoneRefused", \.onMicrophoneRefused, .word, .becoming(.refuse, .audioRefused)) {
        switch $0.now {
        case .refuse: "Live photos are refused when the microphone is."
        case .stillOnly: "Live photos give their stills when the microphone is refused."
        case .mute: "Videos are imported without sound when the microphone is refused."
        }
      }
      .meaning(
        "an item of the camera that may have sound, that is a video, a live photo, a picture with a "
          + "movie in it: `refuse`: it is refused; `stillOnly`: a live photo gives its still, a motion "
          + "photo the picture without its movie, a video is refused; `mute`: a video's sound tracks "
          + "are taken out, its pictures stay as they are"
      ),
      ManifestKey("enforcement", \.enforcement, .word, .becoming(.kernel, .kernelEnforced)) {
        "A run \($0.now == .kernel ? "stops" : "goes on") where the kernel cannot confine it."
      }
      .meaning(
        "`kernel`: without Landlock and seccomp the run stops (69); `process`: it goes on, and says "
          + "so"
      ),
    ]
  }

  /// The highest value of each limit is what a worker, whose memory is fixed, can bear.
  private static var limits: ObjectKeys<Manifest> {
    func limit(
      _ name: String,
      _ value: WritableKeyPath<Manifest, Int>,
      _ range: ClosedRange<Int>,
      _ meaning: String
    ) -> ManifestKey<Manifest> {
      let sentence = "An item may take another amount."
      let type = ValueType.integer(range)
      return ManifestKey(
        name,
        value,
        type,
        .when(.limitLower) { $0.now < $0.before && !$0.oldManifest.mayReplaceOverLimit },
        changed: sentence
      )
      .meaning(meaning)
    }
    return ObjectKeys([
      limit(
        "bytes",
        \.limits.bytes,
        1...(1 << 50),
        "length of a file; this and the others: above it the item is `failed` `overLimit`, before "
          + "anything is taken"
      ),
      limit(
        "pixels",
        \.limits.pixels,
        1...1_000_000_000,
        "width times height of a picture, or of a video's frame; above it an item under `keep` is "
          + "imported without thumbnails"
      ),
      limit(
        "frames",
        \.limits.frames,
        1...10_000_000,
        "pictures of an animation, pages of a TIFF; above it as with `pixels`"
      ),
      limit(
        "textBytes",
        \.limits.textBytes,
        0...(256 << 20),
        "unpacked text in a picture; above it the picture is imported without thumbnails"
      ),
      limit("profileBytes", \.limits.profileBytes, 0...(64 << 20), "color profile"),
      limit(
        "seconds",
        \.limits.seconds,
        1...3600,
        "time for one item, and a second more for each 20 MB; then its worker is ended"
      ),
    ])
  }

  private static var labels: ObjectKeys<Manifest> {
    ObjectKeys(
      [
        ManifestKey(
          "file",
          file: \.labels.file,
          sha256: \.labels.fileSHA256,
          "The labels file",
          contents: \.labelsSHA256
        ) { $0.labels.neutral ? .labelsNeutral : nil }
        .byDefault("none")
        .meaning("labels for single files; see below"),
        ManifestKey(
          "template",
          \.labels.template,
          .optional(.template),
          .when(.labelsNeutral) {
            guard $0.new.labels.neutral, let before = $0.before else { return false }
            // Sidecars are read for a date in labels.
            let isReplacing = before.publishesCreationDate && $0.oldManifest.fetchesByContent
            return before.publishesItem && !isReplacing
          },
          changed: "Labels are made in another way, and file names may tell something else."
        ).byDefault("file name").meaning("labels for the others; see below"),
        ManifestKey("neutral", \.labels.neutral, .flag, .becoming(true, .labelsNeutral)) {
          $0.now ? "Labels are numbers." : "Labels are no longer only numbers."
        }
        .meaning("`true`: labels are numbers in place of names; without `file` and `template`; see below"),
        ManifestKey(
          "ask",
          \.labels.ask,
          .flag,
          changed:
            "Whether a person at a terminal types the labels of new assets is another answer."
        )
        .meaning("`true`: at a terminal, `run` asks for the label of each new asset when it is done"),
      ],
      check: { checker, object, manifest in
        guard manifest.labels.neutral, let neutral = object["neutral"],
          let other = ["file", "template"].first(where: { object[$0] != nil })
        else { return }
        let message = "\"neutral\" makes labels numbers, and \"\(other)\" makes them words; leave one out"
        checker.report(.notApplicable, message, at: neutral, atKey: true)
      }
    )
  }

  private static var albums: ManifestKey<Manifest> {
    let fromFolders = ManifestKey(
      "fromFolders",
      \Manifest.albumsFromFolders,
      .flag,
      .becoming(false, .foldersNoAlbums)
    ) {
      $0.now ? "Folders of the sources become albums." : "Folders of the sources are no albums."
    }
    .meaning(
      "`true`: each folder of a source is an album, and its name is the title, also under `strip`; see "
        + "[library.md](library.md#albums)"
    )
    let fromSource = ManifestKey(
      "fromSource",
      \Manifest.albumsFromSource,
      .optional(.flag),
      .when(.sourceNoAlbums) { $0.now == false }
    ) {
      $0.now == false
        ? "Albums that a source has are not stored." : "Albums that a source has are stored."
    }
    .byDefault("true under `keep`, false under `strip`")
    .meaning(
      "whether the albums of a `takeout`, `photosLibrary` or `iCloudExport` are stored, with their titles; see "
        + "[sources.md](sources.md)"
    )
    return ManifestKey("albums", ObjectKeys([fromFolders, fromSource]))
  }

  private static var dates: ObjectKeys<Manifest> {
    ObjectKeys([
      ManifestKey(
        "fromName",
        \.dates.fromName,
        .flag,
        .when(.datesFewer) {
          !$0.now && !$0.new.dates.fromModification && !$0.oldManifest.fetchesByContent
        }
      ) {
        $0.now
          ? "A name of a known shape gives a file a date."
          : "A file's name gives it no date."
      }
      .meaning(
        "a file that states no date gets that of a name of a known shape, such as "
          + "`IMG_20190704_101530`; see [names](dates-and-sidecars.md#dates-in-names)"
      ),
      ManifestKey(
        "fromModification",
        \.dates.fromModification,
        .flag,
        .when(.datesFewer) { !$0.now && !$0.oldManifest.fetchesByContent }
      ) {
        $0.now
          ? "The time of its last modification gives a file a date."
          : "The time of its last modification gives a file no date."
      }
      .meaning(
        "a file that has no date by any other rule gets the time of its last modification, which is "
          + "often that of a copy"
      ),
      ManifestKey("sidecarFirst", \.dates.sidecarFirst, .flag) {
        $0.now
          ? "A date of the capture in an XMP sidecar comes before the file's own."
          : "A file's own dates come before those of its sidecars."
      }
      .meaning(
        "a date of the capture that a person wrote into an XMP sidecar (`exif:DateTimeOriginal`, "
          + "`photoshop:DateCreated`) comes before those of the file itself, as of a camera whose clock "
          + "was wrong"
      ),
    ])
  }

  private static var places: ObjectKeys<Manifest> {
    ObjectKeys([
      ManifestKey("data", file: \.placeData, sha256: \.placeDataSHA256, "The file of names of places")
        .byDefault("none")
        .meaning(
          "a file of GeoNames, such as `cities500.txt`: a place gets the names of the nearest city within "
            + "50 km, of its region and country; see [sources.md](sources.md#names-of-places)"
        )
    ])
  }

  private static var catalogue: ObjectKeys<Manifest> {
    ObjectKeys([
      ManifestKey(
        "privateFacts",
        \.storesPrivateFacts,
        .flag,
        .when(.privateFactsLeftOut) { !$0.now && !$0.oldManifest.fetchesByContent }
      ) {
        $0.now
          ? "What stripping takes from files is stored in private.sqlite."
          : "Nothing that stripping takes from files is stored."
      }
      .meaning(
        "under `strip`: what the source files say is stored in `private.sqlite`, apart from what is "
          + "published: date, place, camera, caption, keywords, people, rating, subtypes, burst; see "
          + "[library.md](library.md#private-facts)"
      )
    ])
  }

  private static var output: ObjectKeys<Manifest> {
    let what = "The library that is written"
    return ObjectKeys(
      [
        ManifestKey("path", path: \.outputPath, what).required(such: #""Library""#)
          .meaning("the library that is written")
      ],
      check: { _, object, manifest in
        manifest.outputPosition = object["path"]?.node.position ?? .start
      }
    )
  }

  private static var limitedAccessAlert: ManifestKey<Manifest> {
    ManifestKey(
      InfoPlist.limitedAccessAlertKey,
      \.preventsAutomaticLimitedAccessAlert,
      .flag,
      .becoming(false, .limitedAccessAlertShown)
    ) {
      $0.now ? "A limited run keeps quiet about it." : "A limited run says that it is limited."
    }
    .meaning(
      "`true`: a limited run keeps quiet about its selection; otherwise it says once how many of the "
        + "selected items it found"
    )
  }
}

extension Manifest {
  /// A manifest in which every key has its default.
  static let blank = Self(client: Client(identifier: "", name: ""), output: "")

  /// The output's path as an optional one, as other paths are.
  fileprivate var outputPath: String? {
    get { output }
    set { output = newValue ?? "" }
  }
}

extension ObjectKeys<Manifest> {
  init(
    elsewhere: [String: String] = [:],
    _ keys: [ManifestKey<Manifest>],
    check: @escaping (inout ManifestChecker, CheckedObject, inout Manifest) -> Void = { _, _, _ in }
  ) {
    self.init(blank: .blank, elsewhere: elsewhere, keys: keys, check: check)
  }
}
