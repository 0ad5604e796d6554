import MediaManifest
import MediaModel

extension KeyChange {
  /// At least one change of every key that the schema knows; a long table.
  static let all: [KeyChange] =
    whole + signing + thumbnails + library + camera + exceptions("")
    + limitedFetch + sidecarsOfLibrary + refusedLivePhotos + refusedMotionPhotos + datesOfFetch
    + sidecarsUnread
    + SourceKind.allCases.flatMap(ofEverySource)
    + UsageDescriptionKey.allCases.flatMap(ofUsageDescription)

  private static let alert = "PHPhotoLibraryPreventAutomaticLimitedAccessAlert"
  private static let status = "sources.library.authorizationStatus"
  private static let pick = "sources.library.pick"
  private static let selection = "sources.library.selection"
  private static let mode = "sources.camera.capture.mode"
  private static let box = "thumbnails.*.size"

  private static let fetch = "sources.library.fetch."
  private static let neutral = "labels.neutral"

  private static let whole = [
    KeyChange("client.identifier", #""a""#, #""b""#),
    KeyChange("client.name", #""a""#, #""b""#),
    KeyChange("client.name", nil, #""b""#),
    KeyChange("controller.name", nil, #""A club""#),
    KeyChange("controller.contact", #""a@example.org""#, #""b@example.org""#),
    KeyChange("privacyNotice", #""https://a.example""#, nil),
    KeyChange("jurisdiction", #""DE""#, #""FR""#),
    KeyChange("infoPlist", #""Info.plist""#, nil, .narrowed(.infoPlistLeftOut)),
    KeyChange("infoPlist", #""Info.plist""#, #""Other.plist""#),
    KeyChange(alert, "true", nil, .narrowed(.limitedAccessAlertShown)),
    KeyChange(alert, "true", "false", .narrowed(.limitedAccessAlertShown)),
    KeyChange(alert, nil, "false", .same, back: .same),
    KeyChange("onNotDetermined", nil, #""deny""#),
    KeyChange("onNotDetermined", nil, #""ask""#, .same, back: .same),
    KeyChange("onNotDetermined", #""ask""#, #""fail""#, .narrowed(.undecidedFails)),
    KeyChange("onNotDetermined", #""deny""#, #""fail""#, .narrowed(.undecidedFails)),
    KeyChange("onMicrophoneRefused", #""stillOnly""#, nil, .narrowed(.audioRefused)),
    KeyChange("onMicrophoneRefused", #""mute""#, nil, .narrowed(.audioRefused)),
    KeyChange("onMicrophoneRefused", #""mute""#, #""stillOnly""#),
    KeyChange("acceptDamaged", "true", nil, .narrowed(.damagedRefused)),
    KeyChange("receipts", #""tags""#, nil, .narrowed(.receiptsClasses)),
    KeyChange("onSourceChanged", #""replace""#, nil, .narrowed(.versionsAdded)),
    KeyChange("rawUnderStrip", #""previewOnly""#, nil, .narrowed(.rawRefused)),
    KeyChange("limits.bytes", "2", "1", .narrowed(.limitLower)),
    KeyChange("limits.pixels", nil, "1", .narrowed(.limitLower)),
    KeyChange("limits.pixels", nil, "256000000", .same, back: .same),
    KeyChange("limits.frames", "2", "1", .narrowed(.limitLower)),
    KeyChange("limits.textBytes", "2", "1", .narrowed(.limitLower)),
    KeyChange("limits.profileBytes", "2", "1", .narrowed(.limitLower)),
    KeyChange("limits.seconds", "2", "1", .narrowed(.limitLower)),
    KeyChange("enforcement", #""process""#, nil, .narrowed(.kernelEnforced)),
    KeyChange("metadata.policy", #""keep""#, nil, .narrowed(.metadataStripped)),
    KeyChange("labels.file", nil, #""labels.csv""#),
    KeyChange("labels.file", #""a.csv""#, #""b.csv""#),
    KeyChange("labels.template", nil, #""{number}""#),
    KeyChange("labels.template", #""{source}""#, #""{number}""#),
    KeyChange(neutral, nil, "true", .narrowed(.labelsNeutral)),
    KeyChange(neutral, "false", "true", .narrowed(.labelsNeutral)),
    KeyChange(neutral, nil, "false", .same, back: .same),
    KeyChange("labels.template", #""\u00e9""#, #""e\u0301""#),
    KeyChange("albums.fromFolders", "true", nil, .narrowed(.foldersNoAlbums)),
    KeyChange("albums.fromFolders", nil, "false", .same, back: .same),
    KeyChange("albums.fromSource", "true", "false", .narrowed(.sourceNoAlbums)),
    KeyChange("albums.fromSource", nil, "false", .narrowed(.sourceNoAlbums)),
    KeyChange("labels.ask", nil, "true"),
    KeyChange("labels.ask", nil, "false", .same, back: .same),
    KeyChange("dates.fromName", nil, "true", .same, back: .same),
    KeyChange("dates.fromName", nil, "false", .narrowed(.datesFewer)),
    KeyChange("dates.fromName", nil, "false", beside: ["dates.fromModification": "true"]),
    KeyChange("dates.fromModification", "true", nil, .narrowed(.datesFewer)),
    KeyChange("dates.sidecarFirst", nil, "true"),
    KeyChange("dates.sidecarFirst", nil, "false", .same, back: .same),
    KeyChange("places.data", nil, #""cities500.txt""#),
    KeyChange("places.data", #""a.txt""#, #""b.txt""#),
    KeyChange("catalogue.privateFacts", "true", nil, .narrowed(.privateFactsLeftOut)),
    KeyChange("catalogue.privateFacts", "true", "false", .narrowed(.privateFactsLeftOut)),
    KeyChange("output.path", #""Library""#, #""./Library""#),
  ]

  private static let digests = [
    "\"\(String(repeating: "0", count: 64))\"", "\"\(String(repeating: "f", count: 64))\"",
  ]

  private static let signing =
    [
      KeyChange("serial", nil, "1", .narrowed(.signedAnew)),
      KeyChange("serial", "2", "3", .narrowed(.signedAnew)),
      KeyChange("serial", nil, "0", .same, back: .same),
      KeyChange("signedBy", nil, #""a""#),
      KeyChange("signedAt", #""2026""#, #""2027""#, .narrowed(.signedAnew), back: .narrowed(.signedAnew)),
    ]
    + ["infoPlist", "labels.file", "places.data"].flatMap { key in
      [
        KeyChange(
          key,
          #""a""#,
          "{ \"file\": \"a\", \"sha256\": \(digests[0]) }",
          .narrowed(.filePinned)
        ),
        KeyChange("\(key).file", #""a""#, #""b""#, beside: ["\(key).sha256": digests[0]]),
        KeyChange("\(key).sha256", digests[0], digests[1], beside: ["\(key).file": #""a""#]),
      ]
    }

  private static let thumbnails = [
    KeyChange(box, "[256, 256]", "[255, 255]", .narrowed(.thumbnailSmaller)),
    KeyChange(box, "[256, 256]", "[256, 255]", .narrowed(.thumbnailSmaller)),
    KeyChange(box, "[256, 256]", "[512, 128]"),
    KeyChange(box, #""maximum""#, "[512, 128]", .narrowed(.thumbnailSmaller)),
    KeyChange(
      "thumbnails.*.mediaTypes",
      nil,
      #"["image", "video"]"#,
      .narrowed(.thumbnailLeftOut)
    ),
    KeyChange("thumbnails.*.mediaTypes", #"["image"]"#, #"["video"]"#),
    KeyChange(
      "thumbnails.*.mediaTypes",
      nil,
      #"["audio", "image", "video"]"#,
      .same,
      back: .same
    ),
    KeyChange(
      box,
      "[256, 256]",
      "[256, 255]",
      beside: ["thumbnails.*.contentMode": #""aspectFill""#]
    ),
    KeyChange(
      box,
      "[256, 256]",
      "[128, 128]",
      .narrowed(.thumbnailSmaller),
      beside: ["thumbnails.*.contentMode": #""aspectFill""#]
    ),
    KeyChange("thumbnails.*.contentMode", nil, #""aspectFill""#),
    KeyChange("thumbnails.*.contentMode", nil, #""aspectFit""#, .same, back: .same),
    KeyChange("thumbnails.*.quality", nil, "79", .narrowed(.thumbnailSmaller)),
    KeyChange("thumbnails.*.format", nil, #""webp""#),
    KeyChange("thumbnails.*.format", nil, #""jpeg""#, .same, back: .same),
    KeyChange("thumbnails.*.colorSpace", nil, #""keep""#),
    KeyChange("thumbnails.*.colorSpace", #""keep""#, #""sRGB""#),
    KeyChange("thumbnails.*.background", nil, ##""#000000""##),
    KeyChange("thumbnails.*.background", ##""#ffffff""##, ##""#FFFFFF""##, .same, back: .same),
  ]

  private static let library = [
    KeyChange(selection, nil, #"["b.jpg"]"#, back: .narrowed(.selectionSmaller)),
    KeyChange(selection, nil, "[]", .same, back: .same),
    KeyChange(selection, #"["a", "b"]"#, #"["b", "a"]"#, .same, back: .same),
    KeyChange(selection, #"["a*.jpg"]"#, #"["a1.jpg"]"#, .narrowed(.selectionSmaller)),
    KeyChange(
      selection,
      #"["%61.jpg"]"#,
      #"["a.jpg"]"#,
      .narrowed(.selectionSmaller),
      back: .narrowed(.selectionSmaller)
    ),
    KeyChange(selection, #"["\u00e9"]"#, #"["e\u0301"]"#),
    KeyChange(selection, #"["a*"]"#, #"["a?"]"#),
    KeyChange(
      "sources.library.fetch.mediaTypes",
      nil,
      #"["image"]"#,
      .narrowed(.mediaTypesFewer)
    ),
    KeyChange(
      "sources.library.fetch.mediaTypes",
      nil,
      #"["audio", "video", "image"]"#,
      .same,
      back: .same
    ),
    KeyChange(fetch + "predicate", nil, #""size > 5""#, .narrowed(.fetchFewer)),
    KeyChange(
      "sources.library.dates.timeZone",
      nil,
      #""Europe/Berlin""#,
      beside: [fetch + "predicate": #""creationDate > 2019-07-04""#]
    ),
    KeyChange(
      "sources.library.dates.timeZone",
      nil,
      #""Europe/Berlin""#,
      beside: [fetch + "fetchLimit": "9", fetch + "sortDescriptors": #"["creationDate"]"#]
    ),
    KeyChange(fetch + "predicate", #""size > 5""#, #""size > 6""#),
    KeyChange(fetch + "predicate", nil, #""size > 5""#, beside: [fetch + "fetchLimit": "9"]),
    KeyChange(fetch + "fetchLimit", nil, "5", .narrowed(.fetchFewer)),
    KeyChange(fetch + "fetchLimit", "6", "5", .narrowed(.fetchFewer)),
    KeyChange(fetch + "fetchLimit", nil, "0", .same, back: .same),
    KeyChange(fetch + "includeHiddenAssets", "true", "false", .narrowed(.fetchFewer)),
    KeyChange(fetch + "includePartnerSharing", "true", nil, .narrowed(.fetchFewer)),
    KeyChange(fetch + "includeAllBurstAssets", nil, "false", .narrowed(.fetchFewer)),
    KeyChange(fetch + "sortDescriptors", #"["size"]"#, #"["size:descending"]"#),
    KeyChange(fetch + "sortDescriptors", #"["size"]"#, #"["size:ascending"]"#, .same, back: .same),
    KeyChange("sources.library.fetch.mediaTypes", #"["image"]"#, #"["video"]"#),
    KeyChange(
      pick + ".limit",
      nil,
      "2",
      back: .narrowed(.pickFewer),
      beside: [pick + ".filter": #""images""#]
    ),
    KeyChange(pick + ".limit", "0", "99999", .narrowed(.pickFewer)),
    KeyChange(pick + ".limit", "0", "100000", .same, back: .same),
    KeyChange(pick + ".limit", nil, "1"),
    KeyChange(pick + ".limit", nil, "1", beside: [status: #""authorized""#, selection: nil]),
    KeyChange(
      pick + ".limit",
      nil,
      "1",
      back: .narrowed(.pickLeftOut),
      beside: [status: #""denied""#]
    ),
    KeyChange(pick + ".filter", #""images""#, #""livePhotos""#, .narrowed(.pickFewer)),
    KeyChange(pick + ".filter", #""images""#, #""videos""#),
    KeyChange(pick + ".filter", #"["images", "videos"]"#, #""images""#, .narrowed(.pickFewer)),
    KeyChange(pick + ".filter", #""images""#, #"["livePhotos", "images"]"#, .same, back: .same),
    KeyChange(pick + ".filter", #"["videos", "livePhotos"]"#, #""images""#),
    KeyChange(pick + ".sort", #""name""#, #""creationDate""#),
    KeyChange(pick + ".sort", #""name""#, #""name:ascending""#, .same, back: .same),
    KeyChange(
      pick + ".sort",
      nil,
      #""creationDate:descending""#,
      .same,
      back: .same,
      beside: [pick + ".limit": "3"]
    ),
    KeyChange(
      pick + ".filter",
      nil,
      #""videos""#,
      .narrowed(.pickFewer),
      beside: [pick + ".limit": "3"]
    ),
    KeyChange(status + ".readWrite", #""limited""#, #""denied""#, .narrowed(.statusStricter)),
    KeyChange(status + ".addOnly", #""authorized""#, #""denied""#, .narrowed(.statusStricter)),
    KeyChange(
      status + ".addOnly",
      nil,
      #""denied""#,
      .narrowed(.statusStricter),
      beside: [status + ".readWrite": #""limited""#]
    ),
    KeyChange(
      status + ".addOnly",
      nil,
      #""notDetermined""#,
      .same,
      back: .same,
      beside: [status + ".readWrite": #""limited""#]
    ),
    KeyChange(
      status,
      #""authorized""#,
      #""limited""#,
      .narrowed(.statusStricter),
      beside: [selection: nil]
    ),
    KeyChange(status, #""limited""#, #""restricted""#, .narrowed(.statusStricter)),
    KeyChange(status, #""notDetermined""#, #""limited""#),
  ]

  private static let camera = [
    KeyChange(
      "sources.camera.capture.savesCapturedPhotosToPhotoLibrary",
      "true",
      nil,
      .narrowed(.capturesNotSaved)
    ),
    KeyChange(mode, #""photoAndLivePhoto""#, nil, .narrowed(.captureModePhoto)),
    KeyChange(mode, nil, #""photo""#, .same, back: .same),
    KeyChange(mode, #""photoAndVideo""#, #""photoAndLivePhoto""#),
    KeyChange(mode, #""photoAndVideo""#, #""photo""#, .narrowed(.captureModePhoto)),
    KeyChange(
      mode,
      #""photoAndVideo""#,
      #""photo""#,
      beside: ["sources.microphone.authorizationStatus": #""denied""#]
    ),
    KeyChange(
      mode,
      #""photoAndLivePhoto""#,
      nil,
      beside: ["sources.microphone.authorizationStatus": #""denied""#]
    ),
    KeyChange(
      mode,
      #""photoAndLivePhoto""#,
      nil,
      .narrowed(.captureModePhoto),
      beside: [
        "sources.microphone.authorizationStatus": #""denied""#,
        "onMicrophoneRefused": #""stillOnly""#,
      ]
    ),
  ]

  /// Changes that leave out files of a source, whatever they say.
  private static func leavingOut(
    _ kind: SourceKind,
    _ outcome: Outcome? = nil,
    beside: [String: String?]
  ) -> [KeyChange] {
    let path = "sources.\(kind.rawValue)."
    let changes: [(key: String, old: String?, new: String?, narrowing: Narrowing)] = [
      ("crossMounts", "true", nil, .mountsNotCrossed),
      ("hardLinks", #""allow""#, #""refuse""#, .hardLinksRefused),
      ("ignore", nil, #"["*.mov", "*.xmp"]"#, .ignoreMore),
      ("ignoreDefaults", "false", nil, .ignoreMore),
    ]
    return changes.map {
      KeyChange(path + $0.key, $0.old, $0.new, outcome ?? .narrowed($0.narrowing), beside: beside)
    }
  }

  /// Changes that leave out what a person has not picked from the photo library.
  private static func picking(
    _ outcome: Outcome? = nil,
    beside: [String: String?]
  ) -> [KeyChange] {
    let open = beside.merging([selection: nil]) { $1 }
    return [
      KeyChange(
        selection,
        #"["a.jpg", "b.jpg"]"#,
        #"["a.jpg"]"#,
        outcome ?? .narrowed(.selectionSmaller),
        beside: beside
      ),
      KeyChange(
        selection,
        #"["a*.jpg"]"#,
        #"["a1.jpg"]"#,
        outcome ?? .narrowed(.selectionSmaller),
        beside: beside
      ),
    ]
      + ["limited", "notDetermined"].map {
        KeyChange(
          status,
          #""authorized""#,
          "\"\($0)\"",
          outcome ?? .narrowed(.statusStricter),
          beside: open
        )
      }
      + [
        // Nothing is read then.
        KeyChange(
          status,
          #""authorized""#,
          #""denied""#,
          .narrowed(.statusStricter),
          beside: open
        )
      ]
  }

  /// Under a limit, other files take the places of those that are left out.
  private static let limitedFetch: [KeyChange] = {
    let limit: [String: String?] = [fetch + "fetchLimit": "9"]
    let byContent = limit.merging([fetch + "sortDescriptors": #"["creationDate"]"#]) { $1 }
    return leavingOut(.library, .widened, beside: limit) + picking(.widened, beside: limit) + [
      KeyChange(fetch + "mediaTypes", nil, #"["image"]"#, beside: limit),
      KeyChange(fetch + "includeHiddenAssets", "true", "false", beside: limit),
      KeyChange(fetch + "includePartnerSharing", "true", "false", beside: limit),
      KeyChange(fetch + "includeAllBurstAssets", nil, "false", beside: limit),
      // A file that is over a limit is counted, unless it has to be read for that.
      KeyChange("limits.bytes", "2", "1", .narrowed(.limitLower), beside: limit),
      KeyChange("limits.bytes", "2", "1", beside: byContent),
    ]
  }()

  /// What a sidecar says no longer keeps its file out when the sidecar is left out.
  private static let sidecarsOfLibrary: [KeyChange] = {
    let reading: [[String: String?]] = [
      ["sources.library.kind": #""takeout""#],
      [fetch + "predicate": #""rating > 3""#],
      [fetch + "includeHiddenAssets": "false"],
      [fetch + "includeAllBurstAssets": "false"],
    ]
    let others: [[String: String?]] = [
      [fetch + "predicate": #""size > 5""#],
      ["sources.library.kind": #""photosLibrary""#],
      ["sources.library.kind": #""iCloudExport""#],
    ]
    return reading.flatMap { beside in
      leavingOut(.library, .widened, beside: beside) + picking(.widened, beside: beside) + [
        KeyChange("limits.bytes", "2", "1", beside: beside),
        // A sidecar stays, whatever the type of its file is.
        KeyChange(
          fetch + "mediaTypes",
          nil,
          #"["image"]"#,
          .narrowed(.mediaTypesFewer),
          beside: beside
        ),
      ]
    }
      + others.flatMap { leavingOut(.library, beside: $0) + picking(beside: $0) }
      + leavingOut(.camera, beside: reading[1])
  }()

  private static let microphone = "sources.microphone.authorizationStatus"

  /// Without its movie, the still of a live photo that was refused for its sound is imported.
  private static let refusedLivePhotos: [KeyChange] = {
    let refused: [String: String?] = [microphone: #""denied""#, mode: #""photoAndLivePhoto""#]
    let limits = ["bytes", "pixels", "frames", "textBytes", "profileBytes", "seconds"]
    let others: [[String: String?]] = [
      [microphone: #""denied""#, mode: #""photo""#],
      [mode: #""photoAndLivePhoto""#],
      refused.merging(["onMicrophoneRefused": #""stillOnly""#]) { $1 },
      refused.merging(["onMicrophoneRefused": #""mute""#]) { $1 },
    ]
    return leavingOut(.camera, .widened, beside: refused)
      + leavingOut(.camera, .widened, beside: [microphone: #""denied""#, mode: #""photoAndVideo""#])
      + leavingOut(.camera, .widened, beside: refused.merging([microphone: nil]) { $1 })
      + leavingOut(.library, beside: refused)
      + limits.map { KeyChange("limits." + $0, "2", "1", beside: refused) }
      + others.flatMap { beside in
        leavingOut(.camera, beside: beside) + [
          KeyChange("limits.bytes", "2", "1", .narrowed(.limitLower), beside: beside)
        ]
      }
  }()

  /// Stripping takes out the movie for whose sound a motion photo was refused.
  private static let refusedMotionPhotos: [KeyChange] = {
    let refused: [String: String?] = [microphone: #""denied""#]
    let policy = "sources.camera.metadata.policy"
    return [
      KeyChange(policy, #""keep""#, nil, beside: refused),
      KeyChange(policy, #""keep""#, nil, beside: [microphone: nil]),
      KeyChange("metadata.policy", #""keep""#, nil, beside: refused),
      KeyChange(
        "sources.library.metadata.policy",
        #""keep""#,
        nil,
        .narrowed(.metadataStripped),
        beside: refused
      ),
      KeyChange(
        "sources.camera.metadata.except",
        #"["camera"]"#,
        nil,
        .narrowed(.metadataStripped),
        beside: refused
      ),
    ]
      + ["stillOnly", "mute"].map {
        KeyChange(
          policy,
          #""keep""#,
          nil,
          .narrowed(.metadataStripped),
          beside: refused.merging(["onMicrophoneRefused": "\"\($0)\""]) { $1 }
        )
      }
  }()

  /// What a sidecar says no longer keeps its file out when nothing asks for it to be read.
  private static let sidecarsUnread: [KeyChange] = {
    let policy = "sources.library.metadata.policy"
    let saves = "sources.camera.capture.savesCapturedPhotosToPhotoLibrary"
    let takeout: [String: String?] = ["sources.library.kind": #""takeout""#]
    let limit: [String: String?] = [fetch + "fetchLimit": "9"]
    let reading: [[String: String?]] = [
      [fetch + "predicate": #""rating != 5""#],
      limit.merging([fetch + "sortDescriptors": #"["rating"]"#]) { $1 },
    ]
    let others: [[String: String?]] = [limit, [fetch + "predicate": #""size > 5""#]]
    return reading.flatMap { beside in
      [
        KeyChange(policy, #""keep""#, nil, beside: beside),
        KeyChange("metadata.policy", #""keep""#, nil, beside: beside),
        KeyChange("catalogue.privateFacts", "true", nil, beside: beside),
        KeyChange(saves, "true", nil, beside: beside),
      ]
    }
      + others.flatMap { beside in
        [
          KeyChange(policy, #""keep""#, nil, .narrowed(.metadataStripped), beside: beside),
          KeyChange("catalogue.privateFacts", "true", nil, .narrowed(.privateFactsLeftOut), beside: beside),
          KeyChange(saves, "true", nil, .narrowed(.capturesNotSaved), beside: beside),
        ]
      }
      + [
        KeyChange(policy, #""keep""#, nil, .narrowed(.metadataStripped), beside: takeout),
        // Under `strip` a Takeout leaves out what is hidden, and others take the places.
        KeyChange(policy, #""keep""#, nil, beside: takeout.merging(limit) { $1 }),
        KeyChange(
          policy,
          #""keep""#,
          nil,
          beside: ["sources.library.kind": #""iCloudExport""#].merging(limit) { $1 }
        ),
      ]
  }()

  /// A file without a date may meet a condition that it did not meet, or come before others.
  private static let datesOfFetch: [KeyChange] = {
    func changes(_ outcome: Outcome, beside: [String: String?]) -> [KeyChange] {
      [
        KeyChange("dates.fromName", nil, "false", outcome, beside: beside),
        KeyChange("dates.fromModification", "true", nil, outcome, beside: beside),
      ]
    }
    let sorted: [String: String?] = [fetch + "sortDescriptors": #"["creationDate"]"#]
    return changes(.widened, beside: [fetch + "predicate": #""creationDate = nil""#])
      + changes(.widened, beside: sorted.merging([fetch + "fetchLimit": "9"]) { $1 })
      + changes(.narrowed(.datesFewer), beside: sorted)
      + changes(
        .narrowed(.datesFewer),
        beside: [fetch + "predicate": #""size > 5""#, fetch + "fetchLimit": "9"]
      )
  }()

  /// Of the manifest itself, or of the source whose path is in front.
  private static func exceptions(_ path: String) -> [KeyChange] {
    let except = path + "metadata.except"
    let coarse = #"["rating", {"location": "coarse"}]"#
    return MetadataException.allCases.map {
      KeyChange(except, "[\"\($0.rawValue)\"]", nil, .narrowed(.metadataStripped))
    } + [
      KeyChange(except, nil, "[]", .same, back: .same),
      KeyChange(except, #"["camera", "rating"]"#, #"["rating", "camera"]"#, .same, back: .same),
      KeyChange(except, #"["camera"]"#, #"["rating"]"#),
      KeyChange(except, #"["rating", "location"]"#, coarse, .narrowed(.metadataStripped)),
      KeyChange(except, #"["location"]"#, coarse),
      KeyChange(except, coarse, #"["rating"]"#, .narrowed(.metadataStripped)),
    ]
  }

  private static func ofEverySource(_ kind: SourceKind) -> [KeyChange] {
    let path = "sources.\(kind.rawValue)."
    let without: [String: String?] = kind == .library ? [selection: nil] : [:]
    let stricter = [
      ("authorized", "denied"), ("authorized", "notDetermined"), ("authorized", "restricted"),
      ("notDetermined", "denied"), ("notDetermined", "restricted"), ("denied", "restricted"),
    ]
    return [
      // Another name is another source.
      KeyChange(path + "name", nil, "\"\(kind) a\""),
      KeyChange(path + "name", "\"\(kind) a\"", "\"\(kind) b\""),
      KeyChange(path + "name", nil, "\"\(kind.rawValue)\"", .same, back: .same),
      KeyChange(path + "path", #""a""#, #""b""#),
      KeyChange(path + "path", #""a""#, #""/a""#),
      KeyChange(path + "path", #""\u00e9""#, #""e\u0301""#),
      KeyChange(path + "required", "false", "true", .narrowed(.requiredNow)),
      KeyChange(path + "required", "false", nil, .narrowed(.requiredNow)),
      KeyChange(path + "required", nil, "true", .narrowed(.requiredNow)),
      KeyChange(path + "crossMounts", "true", nil, .narrowed(.mountsNotCrossed)),
      KeyChange(path + "hardLinks", #""allow""#, nil, .narrowed(.hardLinksRefused)),
      KeyChange(path + "ignore", nil, #"["a"]"#, .narrowed(.ignoreMore)),
      KeyChange(path + "ignore", #"["a"]"#, #"["b"]"#),
      KeyChange(path + "ignoreDefaults", "false", nil, .narrowed(.ignoreMore)),
      KeyChange(
        path + "dates.timeZone",
        #""Europe/Berlin""#,
        nil,
        .narrowed(.datesCorrected),
        back: .narrowed(.datesCorrected)
      ),
      KeyChange(
        path + "dates.shift",
        nil,
        #"[{"by": "+01:00", "where": "camera == 'A'"}]"#,
        .narrowed(.datesCorrected),
        back: .narrowed(.datesCorrected)
      ),
      KeyChange(
        path + "dates.shift",
        #"[{"by": "-1:00:00", "to": "2019-07-04"}]"#,
        #"[{"by": "-1:00:00", "to": "2019-07-05"}]"#,
        .narrowed(.datesCorrected),
        back: .narrowed(.datesCorrected)
      ),
      KeyChange(
        path + "dates.shift",
        #"[{"by": "-1:00"}]"#,
        #"[{"by": "-01:00:00"}]"#,
        .same,
        back: .same
      ),
      KeyChange(path + "dates.shift", nil, "[]", .same, back: .same),
      KeyChange(
        path + "dates.about",
        #"[{"path": "Scans/**", "date": "1978"}]"#,
        #"[{"path": "Scans/**", "date": "1978~"}]"#,
        .narrowed(.datesCorrected),
        back: .narrowed(.datesCorrected)
      ),
      KeyChange(path + "dates.about", nil, "[]", .same, back: .same),
      KeyChange(path + "tracks", nil, #"["tracks/*.gpx"]"#),
      KeyChange(path + "tracks", #"["a", "b"]"#, #"["b", "a"]"#, .same, back: .same),
      KeyChange(path + "maximumGap", nil, "61"),
      KeyChange(
        path + "dates.timeZone",
        #""Europe/Berlin""#,
        nil,
        beside: [path + "tracks": #"["a.gpx"]"#]
      ),
      kind == .microphone
        ? nil : KeyChange(path + "kind", nil, #""ptp""#, beside: [path + "path": #""usb:""#]),
      kind == .library ? KeyChange(path + "kind", #""takeout""#, #""photosLibrary""#) : nil,
      kind == .library ? KeyChange(path + "kind", #""takeout""#, #""iCloudExport""#) : nil,
      kind == .microphone ? nil : KeyChange(path + "kind", nil, #""folder""#, .same, back: .same),
      KeyChange(path + "metadata.policy", #""keep""#, nil, .narrowed(.metadataStripped)),
      KeyChange(path + "metadata.policy", #""strip""#, nil, .same, back: .same),
      KeyChange(
        path + "metadata.policy",
        #""strip""#,
        nil,
        back: .narrowed(.metadataStripped),
        beside: ["metadata.policy": #""keep""#]
      ),
      KeyChange(
        path + "authorizationStatus",
        nil,
        #""notDetermined""#,
        .same,
        back: .same,
        beside: without
      ),
    ].compactMap { $0 }
      + exceptions(path)
      + stricter.map {
        KeyChange(
          path + "authorizationStatus",
          "\"\($0.0)\"",
          "\"\($0.1)\"",
          .narrowed(.statusStricter),
          beside: without
        )
      }
  }

  private static func ofUsageDescription(_ key: UsageDescriptionKey) -> [KeyChange] {
    let path = "usageDescriptions.\(key.rawValue)"
    return [
      KeyChange(path, #""Why.""#, nil, .narrowed(.usageDescriptionLeftOut)),
      KeyChange(path, #""Why.""#, #""Why!""#),
      KeyChange(path, #""Caf\u00e9""#, #""Cafe\u0301""#),
      KeyChange(path, "7", #""Why.""#),
      KeyChange(path, #"{"en": "Why.", "de": "Warum."}"#, #"{"en": "Why.", "de": "Darum."}"#),
      KeyChange(path, #"{"en": "Why.", "de": "Warum."}"#, #"{"en": "Why."}"#),
      KeyChange(path, #"{"en": "Why.", "de": "Warum."}"#, #"{"de": "Warum.", "en": "Why."}"#),
      KeyChange(path, #"{"en": "Why."}"#, #""Why!""#),
    ]
  }
}
