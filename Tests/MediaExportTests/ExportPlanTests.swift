import MediaFileSystem
import MediaLibrary
import MediaModel
import Testing

@testable import MediaExport

@Suite("Each file of an export is planned with what stands in its place and beside it")
struct ExportPlanTests {
  /// An asset called IMG_1, of files with these endings and words for their formats; the main one first.
  private func asset(
    _ files: [(ending: String, format: String)],
    _ mediaType: MediaType = .image,
    _ change: (inout ListedAsset) -> Void = { _ in }
  ) -> ListedAsset {
    var asset = ListedAsset(
      row: 1,
      localIdentifier: "A/L0/001",
      label: "IMG_1",
      mediaType: mediaType,
      source: "library",
      policy: "keep",
      added: "2026-11-21T10:00:00Z",
      facts: Facts(format: .jpeg)
    )
    asset.files = files.map { ending, format in
      ListedAsset.File(
        role: "photo",
        path: "Originals/A/IMG_1" + ending,
        format: format,
        bytes: 100,
        sha256: "digest" + ending
      )
    }
    change(&asset)
    return asset
  }

  private func pieces(
    _ listed: ListedAsset,
    specs: [ThumbnailSpec?] = [],
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> [ExportPiece] {
    var options = ExportOptions(layout: try ExportLayout("{label}"))
    change(&options)
    let plan = ExportPlan(options: options, readsPrivateFacts: false, specs: specs)
    let asset = ExportedAsset(listed, strippedBy: options.policy)
    asset.start = "2026/IMG_1"
    return plan.pieces(of: [asset], named: "IMG_1")[0]
  }

  /// A piece in words: its ending, how it is made, what lies beside it, and what stands in its place.
  private func told(_ piece: ExportPiece) -> String {
    let making =
      switch piece.making {
      case .copy: "copy"
      case .packet: "packet"
      case .jpeg(let quality): "jpeg \(quality)"
      case .film(let height): "film \(height)"
      case .embedded: "embedded"
      case .completed: "completed"
      case .thumbnail(let spec): "thumbnail \(spec.name)"
      case .stripped: "stripped"
      }
    let beside = piece.sidecar.map { " + " + told($0) }.joined()
    let fallback = piece.fallback.map { " else " + told($0) }.joined()
    return "\(piece.ending) \(making)" + beside + fallback
  }

  @Test("Files lie behind the start that they share, each with its own ending")
  func copies() throws {
    let heic = asset([(".heic", "heic"), (" (adjustmentData).aae", "aae")])
    let copies = try pieces(heic)
    #expect(copies.map(told) == [".heic copy", ".heic.aae copy"])
    #expect(copies.first?.path == Array("2026/IMG_1.heic".utf8))
    #expect(copies.map(\.about.mediaType) == ["image/heic", nil])
    #expect(copies.allSatisfy { $0.shortfalls.isEmpty && !$0.statesPlace })
  }

  @Test("Under a policy that strips no file is the library's, and sidecars stay there")
  func stripped() throws {
    let heic = asset([(".heic", "heic"), (".mov", "mov"), (".heic.xmp", "xmp")]) {
      $0.facts.creationDate = CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: nil, tag: "")
      $0.statesPlace = true
      $0.files[0].statesPlace = true
    }
    let plain = try pieces(heic) { ($0.policy, $0.jpegQuality, $0.filmHeight) = (.strip, 90, 720) }
    #expect(plain.map(told) == [".jpg jpeg 90 else .heic stripped", ".mp4 film 720 else .mov stripped"])
    #expect(plain.allSatisfy { $0.hasReceipt && $0.modified(1) == nil && !$0.statesPlace })
    // A packet lies beside what it describes, which may be left out.
    let dated = try pieces(heic) {
      ($0.policy, $0.writesSidecars) = (MetadataPolicy(except: [.creationDate, .location]), true)
    }
    #expect(dated.map(told) == [".heic stripped + .heic.xmp packet", ".mov stripped"])
    #expect(dated[0].statesPlace && dated[0].modified(1) == 1_562_235_330_000_000_000)
    let embedded = try pieces(heic) {
      ($0.policy, $0.embeds) = (MetadataPolicy(except: [.creationDate]), [.date])
    }
    #expect(embedded.map(told) == [".heic stripped else .heic stripped + .heic.xmp packet", ".mov stripped"])
    #expect(embedded[0].recipe != embedded[0].fallback[0].recipe)
    #expect(dated[1].recipe != plain[1].fallback[0].recipe)
  }

  @Test("A converted picture has the library's own in its place, and each of them a sidecar")
  func converted() throws {
    let heic = asset([(".heic", "heic")])
    let plain = try pieces(heic) { $0.jpegQuality = 80 }
    #expect(plain.map(told) == [".jpg jpeg 80 else .heic copy"])
    #expect(plain.first?.about.mediaType == "image/jpeg")
    #expect(plain.first?.fallback.first?.about.mediaType == "image/heic")
    #expect(plain.first?.shortfall == .notConverted)
    let described = try pieces(heic) {
      $0.jpegQuality = 80
      $0.writesSidecars = true
    }
    #expect(
      described.map(told) == [
        ".jpg jpeg 80 + .jpg.xmp packet else .heic copy + .heic.xmp packet"
      ]
    )
    #expect(described[0].endings == [".jpg", ".jpg.xmp", ".heic", ".heic.xmp"])
    // A JPEG is none that is converted.
    let jpeg = try pieces(asset([(".jpg", "jpeg")])) {
      $0.jpegQuality = 80
      $0.writesSidecars = true
    }
    #expect(jpeg.map(told) == [".jpg copy", ".jpg.xmp packet"])
  }

  @Test("A film that is not converted is the library's own, turned as a person has turned it")
  func films() throws {
    func film(_ ending: String, _ format: String, rotation: Int) throws -> [ExportPiece] {
      let film = asset([(ending, format)], .video) { $0.rotation = rotation }
      return try pieces(film) { $0.filmHeight = 720 }
    }
    #expect(try film(".mov", "mov", rotation: 0).map(told) == [".mp4 film 720 else .mov copy"])
    // One in MP4 keeps its name.
    #expect(try film(".mp4", "mp4", rotation: 0).map(told) == [".mp4 film 720 else .mp4 copy"])
    let turned = try film(".mov", "mov", rotation: 90)
    #expect(
      turned.map(told) == [
        ".mp4 film 720 else .mov embedded else .mov copy + .mov.xmp packet"
      ]
    )
    #expect(turned.first?.facts?.rotation == 90)
  }

  @Test("Facts that a file cannot have are beside it, from the start or once a worker has failed")
  func facts() throws {
    func rated(_ ending: String, _ format: String, quality: Int? = nil) throws -> [ExportPiece] {
      let rated = asset([(ending, format)]) { $0.described.rating = 3 }
      return try pieces(rated) {
        $0.embeds = [.rating]
        $0.jpegQuality = quality
      }
    }
    let jpeg = try rated(".jpg", "jpeg")
    #expect(jpeg.map(told) == [".jpg embedded else .jpg copy + .jpg.xmp packet"])
    #expect(jpeg.first?.shortfall == .besides)
    let gif = try rated(".gif", "gif")
    #expect(gif.map(told) == [".gif copy", ".gif.xmp packet"])
    #expect(gif.first?.shortfalls.map(\.kind) == [.besides])
    #expect(gif.first?.shortfalls.map(\.detail) == ["a sidecar is made for such a file"])
    let png = try rated(".png", "png", quality: 90)
    #expect(png.map(told) == [".jpg jpeg 90 else .png copy + .png.xmp packet"])
    #expect(png.first?.facts?.packet.isEmpty == false && png.first?.shortfalls.isEmpty == true)
    // Without facts nothing is written.
    let unrated = try pieces(asset([(".jpg", "jpeg")])) { $0.embeds = [.rating] }
    #expect(unrated.map(told) == [".jpg copy"])
  }

  @Test("A sidecar of the library gets what it lacks, whatever the case of its letters")
  func completed() throws {
    let own = asset([(".jpg", "jpeg"), (".JPG.xmp", "xmp")]) { asset in
      asset.described.place = MediaDescription.Place(latitude: 10_000_000, longitude: 0)
    }
    let described = try pieces(own) { $0.writesSidecars = true }
    #expect(described.map(told) == [".jpg copy", ".JPG.xmp completed else .JPG.xmp copy"])
    #expect(described[1].statesPlace && described[1].shortfall == .notCompleted)
    // By its digest, a later command knows it by the packet alone.
    #expect(described[1].facts?.place == nil)
  }

  @Test(
    "A sidecar is read as that of its own file, whichever others have its name, and whatever becomes of the file"
  )
  func boundSidecars() throws {
    func told(
      _ assets: [[(ending: String, format: String)]],
      named name: String = "IMG_1",
      quality: Int? = nil
    ) throws -> [[String]] {
      var options = ExportOptions(layout: try ExportLayout("{label}"))
      options.jpegQuality = quality
      let plan = ExportPlan(options: options, readsPrivateFacts: false, specs: [])
      return plan.pieces(of: assets.map { ExportedAsset(asset($0)) }, named: name).map {
        $0.map { self.told($0) }
      }
    }
    let jpeg = [(ending: ".jpg", format: "jpeg"), (ending: ".xmp", format: "xmp")]
    let raw = [(ending: ".nef", format: "nef"), (ending: ".xmp", format: "xmp")]
    #expect(try told([jpeg]) == [[".jpg copy", ".xmp copy"]])
    #expect(try told([jpeg, [raw[0]]]) == [[".jpg copy", ".jpg.xmp copy"], [".nef copy"]])
    #expect(try told([[jpeg[0]], raw]) == [[".jpg copy"], [".nef copy", ".xmp copy"]])
    #expect(try told([jpeg, raw]) == [[".jpg copy", ".jpg.xmp copy"], [".nef copy", ".xmp copy"]])
    let twice = jpeg + [(ending: ".jpg.xmp", format: "xmp")]
    #expect(
      try told([twice, raw]) == [
        [".jpg copy", "_01.jpg.xmp copy", ".jpg.xmp copy"], [".nef copy", ".xmp copy"],
      ]
    )
    // "a.jpg.xmp" would be that of a.jpg.
    #expect(try told([jpeg], named: "a.jpg") == [[".jpg copy", ".jpg.xmp copy"]])
    let named = [raw[0], (ending: ".nef.xmp", format: "xmp")]
    #expect(
      try told([named], quality: 80) == [
        [".jpg jpeg 80 + .jpg.xmp copy else .nef copy + .nef.xmp copy"]
      ]
    )
    #expect(
      try told([[jpeg[0]], raw], quality: 80) == [
        [".jpg copy"], [" (2).jpg jpeg 80 +  (2).jpg.xmp copy else .nef copy + .xmp copy"],
      ]
    )
  }

  @Test("A motion photo is its still and its movie, which no facts are written into")
  func motion() throws {
    let photo = asset([(".jpg", "jpeg")]) { asset in
      asset.facts.embeddedMovie = EmbeddedMovie(offset: 60, length: 40, stillLength: 50)
      asset.described.rating = 3
    }
    #expect(try pieces(photo).map(told) == [".jpg copy"])
    let still = try pieces(photo) { $0.motion = .still }
    #expect(still.map(told) == [".jpg copy"] && still.map(\.source.part) == [0..<50])
    let split = try pieces(photo) {
      $0.motion = .split
      $0.embeds = [.rating]
    }
    #expect(split.map(told) == [".jpg copy", ".mp4 copy", ".jpg.xmp packet"])
    #expect(split.prefix(2).map(\.source.part) == [0..<50, 60..<100])
    #expect(split[0].shortfalls.map(\.detail) == ["it is a part of a motion photo"])
  }

  @Test("A thumbnail is made where the library's is lacking or damaged, of its original")
  func thumbnails() throws {
    let lacking = asset([(".heic", "heic")])
    var own = lacking
    own.thumbnails = [
      ListedAsset.Thumbnail(
        name: "grid",
        path: "Thumbnails/1.webp",
        size: PixelSize(width: 9, height: 9),
        bytes: 10,
        sha256: "thumbnail",
        thumbHash: nil
      )
    ]
    let box = PixelSize(width: 9, height: 9)
    let spec = ThumbnailSpec(name: "grid", size: box, contentMode: .aspectFit)
    func thumbnails(_ asset: ListedAsset, _ spec: ThumbnailSpec?) throws -> [ExportPiece] {
      try pieces(asset, specs: [spec]) {
        $0.thumbnails = ["grid"].compactMap { ExportedThumbnail($0) }
        $0.includesOriginals = false
      }
    }
    let made = try thumbnails(own, spec)
    #expect(made.map(told) == [".webp copy else .webp thumbnail grid"])
    #expect(made[0].source.sha256 == "thumbnail" && made[0].isThumbnail)
    #expect(made[0].fallback[0].source.sha256 == "digest.heic")
    #expect(try thumbnails(own, nil).map(told) == [".webp copy"])
    #expect(try thumbnails(lacking, spec).map(told) == [".jpg thumbnail grid"])
    #expect(try thumbnails(lacking, nil).isEmpty)
  }

  @Test("No two endings of an asset are the same, also where a source called a HEIC .jpg")
  func distinct() throws {
    let misnamed = asset([(".heic", "heic")]) { $0.files[0].sourceExtension = "jpg" }
    let named = try pieces(misnamed) {
      $0.jpegQuality = 80
      $0.keepsExtensions = true
    }
    #expect(named.map(told) == [" (2).jpg jpeg 80 else .jpg copy"])
    let twice = try pieces(asset([(".jpg", "jpeg"), (".JPG", "jpeg")]))
    #expect(twice.map(told) == [".jpg copy", " (2).JPG copy"])
  }

  @Test("A file is known again by what it is made from, as earlier versions have noted it")
  func recipes() throws {
    func expect(_ piece: ExportPiece?, _ text: String) {
      #expect(piece?.recipe == sha256(Array(text.utf8)), "\(text)")
    }
    let heic = asset([(".heic", "heic")])
    expect(try pieces(heic) { $0.jpegQuality = 80 }.first, "jpeg 80 digest.heic")
    let film = asset([(".mov", "mov")], .video)
    expect(try pieces(film) { $0.filmHeight = 720 }.first, "h264 720 digest.mov")
    var turned = film
    turned.rotation = 90
    let words = "digest.mov nil nil false 90 "
    expect(try pieces(turned) { $0.filmHeight = 720 }.first, "h264 720 " + words)
    expect(try pieces(turned).first, "embed " + words)
    let box = PixelSize(width: 9, height: 9)
    let spec = ThumbnailSpec(name: "grid", size: box, contentMode: .aspectFit)
    var thumbnail = ExportPiece(
      .thumbnail(spec),
      of: ExportedAsset(heic),
      ExportFolder.Source(heic.files[0]),
      ending: ".jpg"
    )
    expect(thumbnail, "grid \(spec.fingerprint) digest.heic")
    thumbnail = ExportPiece(
      .thumbnail(spec),
      of: ExportedAsset(turned),
      ExportFolder.Source(turned.files[0]),
      ending: ".jpg"
    )
    expect(thumbnail, "grid \(spec.fingerprint) digest.mov 90")
  }
}
