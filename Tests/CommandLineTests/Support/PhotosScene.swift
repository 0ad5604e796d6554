import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A scene whose photo library is a made `.photoslibrary` with something of everything.
struct PhotosScene {
  static let plain = "10000000-0000-4000-8000-000000000001"
  static let edited = "20000000-0000-4000-8000-000000000002"
  static let live = "30000000-0000-4000-8000-000000000003"
  static let hidden = "40000000-0000-4000-8000-000000000004"
  static let trashed = "50000000-0000-4000-8000-000000000005"
  static let shared = "60000000-0000-4000-8000-000000000006"
  static let cloud = "70000000-0000-4000-8000-000000000007"
  static let elsewhere = "80000000-0000-4000-8000-000000000008"
  static let pick = "90000000-0000-4000-8000-000000000009"
  static let other = "A0000000-0000-4000-8000-00000000000A"
  static let raw = "B0000000-0000-4000-8000-00000000000B"
  static let unlisted = "C0000000-0000-4000-8000-00000000000C"

  let scene: Scene
  let bundle: MadePhotosLibrary

  /// What an import of all of it ends with: the still and the movie of a live photo are two items.
  static let counts = ["imported": 9, "skipped": 6]

  init(
    _ generation: MadePhotosLibrary.Generation = MadePhotosLibrary.generation13,
    status: String = "authorized",
    policy: String = "keep",
    _ extra: [String: JSONValue] = [:]
  ) throws {
    scene = Scene(policy: policy)
    try scene.declare(
      "library",
      status,
      extra.merging(["kind": "photosLibrary"]) { $1 },
      makesFolder: false
    )
    bundle = try MadePhotosLibrary(
      at: scene.at("sources/library"),
      generation,
      assets: Self.assets(generation),
      albums: [
        ("ALBUM-0001", "Summer / sea", [2, 1, 3, 0]), ("ALBUM-0002", "Secret", [3]),
        ("ALBUM-0003", "Away", [6]),
      ]
    )
    for (path, text) in [
      ("originals/1/\(Self.plain).jpeg", "plain"), ("originals/2/\(Self.edited).jpeg", "edited"),
      ("resources/renders/2/\(Self.edited)_1_201_a.jpeg", "rendition"),
      ("originals/4/\(Self.hidden).jpeg", "hidden"),
      ("originals/5/\(Self.trashed).jpeg", "trashed"),
      ("scopes/cloudsharing/data/album/\(Self.shared).jpeg", "shared"),
      ("originals/9/\(Self.pick).jpeg", "pick"), ("originals/A/\(Self.other).jpeg", "other"),
      ("originals/C/\(Self.unlisted).jpeg", "unlisted"),
      ("resources/derivatives/1/\(Self.plain)_1_105_c.jpeg", "derivative"),
    ] {
      try scene.put("sources/library/" + path, try Media.photo(text))
    }
    try scene.put("sources/library/resources/renders/2/\(Self.edited).plist", "<plist/>")
    let live = try Media.livePhoto("live")
    try scene.put("sources/library/originals/3/\(Self.live).jpeg", live.still)
    try scene.put("sources/library/originals/3/\(Self.live)_3.mov", live.movie)
    // The time of capture that the raw file has.
    let times = ["2026:06:03 11:20:00", "2026:11:21 01:44:39"].map { Array($0.utf8) }
    try scene.put(
      "sources/library/originals/B/\(Self.raw).jpeg",
      try Media.photo("raw").replacing(times[0], with: times[1])
    )
    try scene.put(
      "sources/library/originals/B/\(Self.raw)_4.dng",
      RawUnderStripTests.raw(try Media.photo("raw"))
    )
  }

  private static func assets(
    _ generation: MadePhotosLibrary.Generation
  ) -> [MadePhotosLibrary.Asset] {
    func asset(
      _ uuid: String,
      _ name: String,
      _ columns: [String: String] = [:]
    ) -> MadePhotosLibrary.Asset {
      var asset = MadePhotosLibrary.Asset(uuid, name)
      asset.columns = columns
      return asset
    }
    var plain = asset(Self.plain, "Harbour at dawn.JPG", ["ZFAVORITE": "1"])
    plain.caption = "Boats, early"
    plain.keywords = ["sea", "boats"]
    plain.people = ["Ann Canary"]
    var cloud = asset(Self.cloud, "In the cloud.JPG")
    cloud.isLocal = false
    return [
      plain, asset(Self.edited, "Edited.JPG", [generation.adjustments: "1"]),
      asset(Self.live, "Live.HEIC", ["ZKINDSUBTYPE": "2"]),
      asset(Self.hidden, "Hidden one.JPG", ["ZHIDDEN": "1"]),
      asset(Self.trashed, "Thrown away.JPG", ["ZTRASHEDSTATE": "1"]),
      asset(Self.shared, "Shared.JPG", ["ZCLOUDBATCHPUBLISHDATE": "559856399.0", "ZDIRECTORY": "'album'"]),
      cloud,
      asset(
        Self.elsewhere,
        "Elsewhere.JPG",
        ["ZSAVEDASSETTYPE": "10", "ZDIRECTORY": "'/Users/x'", "ZFILENAME": "'Elsewhere.JPG'"]
      ),
      asset(Self.pick, "B1.JPG", ["ZAVALANCHEUUID": "'BURST-0001'", "ZAVALANCHEPICKTYPE": "16"]),
      asset(Self.other, "B2.JPG", ["ZAVALANCHEUUID": "'BURST-0001'", "ZAVALANCHEPICKTYPE": "2"]),
      asset(Self.raw, "Raw.JPG"),
    ]
  }

  /// `reason count first-example` of what the summary says was left out, sorted.
  static func leftOut(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["leftOut"].array.map { group in
      let example = group["examples"].array.first?.string ?? "-"
      return "\(group["reason"].string ?? "?") \(group["count"].int ?? 0) \(example)"
    }.sorted()
  }

  /// The labels of the assets that a library has now, sorted.
  func labels() throws -> [String] {
    try scene.catalogue("SELECT label FROM assets ORDER BY label")
  }
}
