import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A library of Apple Photos as a source: what becomes of its files is what its database says of them.
@Suite("A Photos library", .enabled(if: Has.sqlite, "no sqlite3"))
struct PhotosLibraryTests {
  @Test(
    "Each asset becomes what Photos shows",
    arguments: Amount.some(2, of: MadePhotosLibrary.generations)
  )
  func imports(_ generation: MadePhotosLibrary.Generation) throws {
    let photos = try PhotosScene(generation)
    let scene = photos.scene
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(PhotosScene.counts)
    #expect(
      try PhotosScene.leftOut(run) == [
        "notDownloaded 1 originals/7/\(PhotosScene.cloud).jpeg",
        "notFetched 2 originals/4/\(PhotosScene.hidden).jpeg",
        "referenced 1 originals/8/\(PhotosScene.elsewhere).jpg",
        "trashed 1 originals/5/\(PhotosScene.trashed).jpeg",
        "unlisted 1 originals/C/\(PhotosScene.unlisted).jpeg",
      ]
    )
    #expect(
      try photos.labels() == [
        "B1", "B2", "Edited", "Edited", "Harbour at dawn", "Live", "Raw", "Raw",
      ]
    )
    #expect(
      try scene.catalogue(
        "SELECT label, isFavorite, caption, keywords, people FROM assets WHERE isFavorite"
      ) == ["Harbour at dawn|1|Boats, early|[\"boats\",\"sea\"]|[\"Ann Canary\"]"]
    )
    #expect(
      try scene.catalogue(
        """
        SELECT assets.label, count(*) FROM resources JOIN assets ON assets.id = resources.asset
        GROUP BY asset HAVING count(*) > 1
        """
      ) == ["Live|2"]
    )
    try scene.expectVerified()
    // A second run has nothing to do.
    try scene.run().expectCounts(["unchanged": 9, "skipped": 6])
    let report = try scene.reportText("text").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      report.contains(
        "2 files of the photo library left out: hidden, or shared by somebody else. The log does not name them."
      ),
      "\(report)"
    )
    #expect(!report.contains(PhotosScene.hidden), "\(report)")
  }

  /// The rows of `stacks`, as `kind position path`, sorted.
  private func stacks(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT kind || ' ' || position || ' ' || CAST(sourcePath AS TEXT) FROM stacks
      JOIN resources ON resources.asset = stacks.asset AND resources.superseded = 0 ORDER BY 1
      """
    )
  }

  @Test("Renditions, raw files and bursts are stacks across folders, and rebuild makes the same")
  func stacks() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    try scene.run().expect(0)
    let stacks = try stacks(scene)
    #expect(
      stacks == [
        "burst 0 originals/9/\(PhotosScene.pick).jpeg",
        "burst 1 originals/A/\(PhotosScene.other).jpeg",
        "edited 0 resources/renders/2/\(PhotosScene.edited)_1_201_a.jpeg",
        "edited 1 originals/2/\(PhotosScene.edited).jpeg",
        "formats 0 originals/B/\(PhotosScene.raw).jpeg",
        "formats 1 originals/B/\(PhotosScene.raw)_4.dng",
      ]
    )
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try self.stacks(scene) == stacks)
    // What no file and no log has comes back with the next run, in assets of the same identifiers.
    let identifiers = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1")
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE isFavorite") == ["0"])
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1") == identifiers)
    #expect(try scene.catalogue("SELECT label FROM assets WHERE isFavorite") == ["Harbour at dawn"])
    #expect(try self.stacks(scene) == stacks)
    try scene.run().expectCounts(["unchanged": 9, "skipped": 6])
    try scene.expectVerified()
  }

  @Test(
    "An edited live photo is two live photos, the rendition's in front, under keep and strip",
    arguments: ["keep", "strip"]
  )
  func editedLivePhoto(_ policy: String) throws {
    let photos = try PhotosScene(policy: policy)
    let scene = photos.scene
    let rendition = try Media.livePhoto("rendition of live")
    let folder = "sources/library/resources/renders/3/\(PhotosScene.live)"
    try scene.put(folder + "_1_201_a.jpeg", rendition.still)
    try scene.put(folder + "_2_100_a.mov", rendition.movie)
    _ = try scene.run()
    let assets = try scene.catalogue(
      """
      SELECT group_concat(CAST(sourcePath AS TEXT), ' ') FROM
        (SELECT asset, sourcePath FROM resources
          WHERE CAST(sourcePath AS TEXT) LIKE '%\(PhotosScene.live)%' ORDER BY asset, sourcePath)
      GROUP BY asset ORDER BY 1
      """
    )
    #expect(
      assets == [
        "originals/3/\(PhotosScene.live).jpeg originals/3/\(PhotosScene.live)_3.mov",
        "resources/renders/3/\(PhotosScene.live)_1_201_a.jpeg "
          + "resources/renders/3/\(PhotosScene.live)_2_100_a.mov",
      ]
    )
    #expect(
      try scene.catalogue(
        """
        SELECT position, format FROM stacks JOIN assets ON assets.id = stacks.asset
        JOIN resources ON resources.asset = assets.id AND role = 'photo'
        WHERE assets.label = 'Live' AND kind = 'edited' ORDER BY position
        """
      ) == ["0|jpeg", "1|jpeg"]
    )
    try scene.expectVerified()
  }

  @Test("A smaller selection leaves what was imported")
  func narrowed() throws {
    let photos = try PhotosScene(status: "limited", ["selection": ["album:Summer / sea"]])
    let run = try photos.scene.run()
    try run.expect(0)
    // The next run selects less, by another word for the same photo: what was imported stays.
    try photos.scene.declare(
      "library",
      "limited",
      ["kind": "photosLibrary", "selection": [.string("asset:\(PhotosScene.plain)")]],
      makesFolder: false
    )
    let second = try photos.scene.run()
    try second.expectCounts(["unchanged": 1])
    #expect(try photos.labels() == ["Edited", "Edited", "Harbour at dawn", "Live"])
  }

  @Test("Albums have what Photos shows in them, in an order and with titles of their own")
  func albums() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    try scene.run().expect(0)
    let sql = """
      SELECT albums.title, CAST(albumItems.path AS TEXT) FROM albums
      LEFT JOIN albumItems ON albumItems.album = albums.id ORDER BY albums.id, position
      """
    #expect(
      try scene.catalogue(sql) == [
        "Summer / sea|originals/3/\(PhotosScene.live).jpeg",
        "Summer / sea|resources/renders/2/\(PhotosScene.edited)_1_201_a.jpeg",
        "Summer / sea|originals/1/\(PhotosScene.plain).jpeg", "Secret|", "Away|",
      ]
    )
    let listed = try scene.command("albums", scene.library)
    #expect(listed.output.contains("Summer / sea"))
    #expect(!listed.output.contains("Secret"))
    try photos.bundle.sql("UPDATE ZGENERICALBUM SET ZTITLE = 'Autumn' WHERE ZUUID = 'ALBUM-0001';")
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT title FROM albums ORDER BY id").first == "Autumn")
    try scene.expectVerified()
    // Two of one title in one source have numbers.
    let members = "SELECT (SELECT max(id) FROM albums), 9, path FROM albumItems LIMIT 1"
    _ = try scene.catalogue(
      "INSERT INTO albumItems (album, position, path) \(members); UPDATE albums SET title = 'Twin'"
    )
    let twins = try scene.command("albums", scene.library).output
    #expect(twins.contains("\nTwin (1 of 2)  ") && twins.contains("\nTwin (2 of 2)  "), "\(twins)")
  }

  @Test("What a person changes in Photos changes in the library, in the same asset")
  func changed() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    try scene.run().expect(0)
    let identifiers = try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1")
    try photos.bundle.sql(
      """
      UPDATE ZASSET SET ZFAVORITE = 1 WHERE ZUUID = '\(PhotosScene.live)';
      UPDATE ZASSETDESCRIPTION SET ZLONGDESCRIPTION = 'Boats, late';
      """
    )
    let second = try scene.run()
    try second.expectCounts(["imported": 3, "unchanged": 6, "skipped": 6])
    #expect(
      try scene.catalogue("SELECT label, caption FROM assets WHERE isFavorite ORDER BY 1")
        == ["Harbour at dawn|Boats, late", "Live|"]
    )
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets ORDER BY 1") == identifiers)
    try scene.run().expectCounts(["unchanged": 9, "skipped": 6])
    try scene.expectVerified()
  }

  @Test(
    "Hidden and shared assets come only when the manifest asks for them, and never what is in the trash"
  )
  func hidden() throws {
    let photos = try PhotosScene(MadePhotosLibrary.generation13, ["fetch": ["includeHiddenAssets": true]])
    let run = try photos.scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 11, "skipped": 4])
    #expect(try photos.scene.catalogue("SELECT label FROM assets WHERE isHidden") == ["Hidden one"])
    #expect(try photos.labels().contains("Shared"))
    #expect(try !photos.labels().contains("Thrown away"))
  }

  @Test("Under strip nothing that only the database says is stored")
  func stripped() throws {
    let photos = try PhotosScene(policy: "strip")
    let run = try photos.scene.run()
    #expect([0, 3].contains(run.code), "\(run.streams)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photos.scene.library + "/library.sqlite"))
    for word in ["Boats, early", "Summer / sea", "BURST-0001", "Ann Canary"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is in the catalogue")
    }
    #expect(try photos.labels().contains("Harbour at dawn"))
  }

  // MARK: The gate

  @Test(
    "Under limited only what an album, an asset or a path selects exists",
    arguments: Amount.some(
      3,
      of: [
        (["album:Summer*/*"], ["Edited", "Edited", "Harbour at dawn", "Live"]),
        (["album:Summer / sea"], ["Edited", "Edited", "Harbour at dawn", "Live"]),
        (["asset:Harbour at dawn.JPG", "asset:B?.JPG"], ["B1", "B2", "Harbour at dawn"]),
        (["asset:\(PhotosScene.plain)"], ["Harbour at dawn"]),
        (["originals/1/\(PhotosScene.plain).jpeg"], ["Harbour at dawn"]),
        (["originals/1/*"], ["Harbour at dawn"]),
      ] as [([String], [String])]
    )
  )
  func limited(_ selection: [String], _ expected: [String]) throws {
    let photos = try PhotosScene(status: "limited", ["selection": .array(selection.map { .string($0) })])
    let scene = photos.scene
    let run = try scene.run()
    try run.expect(0)
    #expect(try photos.labels() == expected)
    // What is not selected leaves no trace: of an asset neither its identifier nor its name, of an album no title.
    let written = try scene.logFiles().flatMap(\.lines).joined() + run.streams
    let isSummer = selection.contains { $0.hasPrefix("album:Summer") }
    let unseen =
      [PhotosScene.trashed, PhotosScene.cloud, PhotosScene.elsewhere, PhotosScene.unlisted]
      + ["Thrown away", "In the cloud", "Elsewhere", "Secret", "Away"]
      + (isSummer ? [] : [PhotosScene.hidden, "Hidden one"])
    for word in unseen { #expect(!written.contains(word), "\(word) is told") }
    #expect(try run.count("discovered") == run.count("imported") + (isSummer ? 1 : 0))
    #expect(try scene.catalogue("SELECT title FROM albums") == (isSummer ? ["Summer / sea"] : []))
    try scene.expectVerified()
  }

  @Test(
    "Without a decision nothing of the library is opened, not even its database",
    .enabled(if: Has.strace, "no strace")
  )
  func denied() throws {
    let photos = try PhotosScene(status: "denied")
    let (outcome, lines) = try photos.scene.tracedRun("%file,openat2")
    try outcome.expect(0)
    let opened = lines.filter { line in
      line.contains("sources/library") && (line.contains("open") || line.contains("readlink"))
        && !line.contains("O_PATH") && !line.contains(" = -1 ")
    }
    #expect(opened == [])
    #expect(!lines.contains { $0.contains("photos-reader") })
  }

  @Test(
    "The reader of the database opens its two files after their records are flushed, and nothing else",
    .enabled(if: Has.strace, "no strace")
  )
  func readerOpens() throws {
    let photos = try PhotosScene()
    try photos.bundle.sqlIntoLog("UPDATE ZASSET SET ZFAVORITE = 1 WHERE ZUUID = '\(PhotosScene.live)';")
    let (outcome, lines) = try photos.scene.tracedRun(
      "%file,openat2,write,pwrite64,fsync,fdatasync,seccomp,landlock_restrict_self"
    )
    try outcome.expect(0)
    #expect(
      try photos.scene.catalogue("SELECT label FROM assets WHERE isFavorite ORDER BY 1")
        == ["Harbour at dawn", "Live"]
    )
    let reader = try #require(
      lines.first { $0.contains("execve") && $0.contains("photos-reader") }?
        .split(separator: " ").first
    )
    let own = lines.filter { $0.split(separator: " ").first == reader }
    let confined = try #require(own.lastIndex { $0.contains("seccomp(") })
    let opened = own[confined...].filter { $0.contains("open") && !$0.contains(" = -1 ") }
    #expect(opened.count > 0)
    for line in opened {
      let isIts = ["Photos.sqlite>", "Photos.sqlite-wal>"].contains {
        line.contains("database/" + $0)
      }
      #expect(isIts, "\(line)")
      #expect(line.contains("O_RDONLY"), "\(line)")
    }
    let first = try #require(
      lines.firstIndex {
        $0.split(separator: " ").first == reader && $0.contains("O_RDONLY")
          && $0.contains("Photos.sqlite") && !$0.contains("O_PATH") && !$0.contains(" = -1 ")
      }
    )
    // The records of both are written at once.
    let record = try #require(
      lines.firstIndex { $0.contains("/Audit/") && $0.contains("database/Photos.sqlite\\\"") }
    )
    #expect(record < first)
    #expect(lines[record..<first].contains { $0.contains("sync(") && $0.contains("/Audit/") })
    #expect(
      try Set(
        photos.scene.lastLog().filter { $0["event"].string == "access" }
          .compactMap { $0["path"].string }.filter { $0.hasPrefix("database/") }
      )
        == ["database/Photos.sqlite", "database/Photos.sqlite-wal"]
    )
  }

  // MARK: Bad input

  @Test("A database that cannot be read stops the run with 66, and the next run goes on")
  func unreadable() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    let database = photos.bundle.database
    let good = try Data(contentsOf: URL(fileURLWithPath: database))
    let damages = [
      "DROP TABLE Z_28ASSETS;", "ALTER TABLE ZASSET DROP COLUMN ZHIDDEN;", "truncate", "symlink",
      "missing",
    ]
    for damage in damages {
      switch damage {
      case "truncate": try good.prefix(9000).write(to: URL(fileURLWithPath: database))
      case "symlink":
        try FileManager.default.moveItem(atPath: database, toPath: scene.at("real"))
        try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: scene.at("real"))
      case "missing": try FileManager.default.removeItem(atPath: database)
      default: try photos.bundle.sql(damage)
      }
      let run = try scene.run()
      #expect(run.code == 66, "\(damage): \(run.streams)")
      #expect(try run.problems() == ["sourceUnavailable"], "\(damage)")
      #expect(run.output.contains("sources/library"), "\(damage)")
      #expect(run.output.contains("Photos.sqlite"), "\(damage)")
      #expect(try scene.originals().isEmpty, "\(damage)")
      try? FileManager.default.removeItem(atPath: database)
      try good.write(to: URL(fileURLWithPath: database))
      // Whatever it was, the next run finds the same library: without all, one goes on.
      if Amount.isAll || damage == damages.last {
        try scene.run().expectCounts(PhotosScene.counts)
        try scene.expectVerified()
      }
      try FileManager.default.removeItem(atPath: scene.library)
    }
  }

  @Test("A database that names places outside the library leads nowhere")
  func outside() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    try scene.put("secret.jpeg", try Media.photo("secret"))
    try photos.bundle.sql(
      """
      UPDATE ZASSET SET ZDIRECTORY = '../../..', ZFILENAME = 'secret.jpeg' WHERE ZUUID = '\(PhotosScene.cloud)';
      UPDATE ZASSET SET ZDIRECTORY = '\(scene.path)', ZFILENAME = 'secret.jpeg'
        WHERE ZUUID = '\(PhotosScene.elsewhere)';
      """
    )
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(PhotosScene.counts)
    #expect(try PhotosScene.leftOut(run).contains { $0.hasPrefix("referenced 2 ") })
    #expect(!run.streams.contains("secret"))
  }

  @Test("It is not divided among machines")
  func plans() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    try scene.writeManifest()
    try scene.expectUndivided()
  }

  @Test("A placeholder of iCloud in any folder is a file that is not downloaded")
  func placeholder() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/.beach.jpg.icloud", "bplist00")
    try scene.put("sources/library/one.jpg", copyOf: Samples.harbour)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 1, "skipped": 1])
    #expect(try PhotosScene.leftOut(run) == ["notDownloaded 1 .beach.jpg.icloud"])
    try scene.expectVerified()
  }

  @Test(
    "The public library of macOS 13 is imported as Photos shows it",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func publicLibrary() throws {
    let path = try #require(Corpus.file("second/photoslibrary/Test-13.0.0.photoslibrary"))
    let scene = Scene()
    try scene.declare(
      "library",
      "authorized",
      ["kind": "photosLibrary", "path": .string(path)],
      makesFolder: false
    )
    let run = try scene.run()
    // Two of its large originals are not in the public copy.
    try run.expect(3)
    try run.expectCounts(["imported": 14, "skipped": 4, "failed": 2])
    #expect(try stacks(scene).count { $0.hasPrefix("edited 0 resources/renders/") } == 4)
    #expect(
      try scene.catalogue("SELECT title FROM albums WHERE title LIKE '2018%'")
        == ["2018-10 - Sponsion, Museum, Frühstück, Römermuseum"]
    )
    #expect(
      try scene.catalogue("SELECT DISTINCT caption FROM assets WHERE label = 'Tulips'")
        == ["Wedding tulips"]
    )
    try scene.expectVerified()
  }
}
