internal import GRDB
internal import MediaModel

/// The rows of a library's database, as checked values, one at a time.
extension PhotosDatabase {
  /// Reads all assets, then all albums.
  ///
  /// - Parameters:
  ///   - asset: Takes each asset, nil for a row that cannot be one; its errors are passed on.
  ///   - album: Takes each album, nil for a row that cannot be one. Its members are numbers in the order in which
  ///     `asset` got assets, from 0.
  /// - Throws: ``PhotosLibraryError``.
  func forEach(
    asset: (PhotosAsset?) throws -> Void,
    album: (PhotosAlbum?) throws -> Void
  ) throws(PhotosLibraryError) {
    try read { db in
      let schema = try PhotosSchema(db)
      let rows = try Self.assets(db, schema, asset)
      try Self.albums(db, schema, rows, album)
    }
  }

  /// Text of a column of any type, cut to so many characters; NULL where it is no text.
  private static func text(_ column: String, _ limit: Int) -> String {
    "CASE typeof(\(column)) WHEN 'text' THEN substr(\(column), 1, \(limit)) END"
  }

  /// A whole number of a column of any type; NULL where it is none.
  private static func integer(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'integer' THEN \(column) END"
  }

  /// A number of a column of any type; NULL where it is none.
  private static func real(_ column: String) -> String {
    "CASE WHEN typeof(\(column)) IN ('integer', 'real') THEN CAST(\(column) AS REAL) END"
  }

  // MARK: Assets

  /// The query for the assets, with the columns that this version has, in the order of their rows.
  private static func assetQuery(_ schema: PhotosSchema) -> String {
    let attributes = "ZADDITIONALASSETATTRIBUTES"
    func own(_ name: String) -> String { schema.column(schema.assets, name, as: "a") }
    func more(_ name: String) -> String { schema.column(attributes, name, as: "t") }
    let hasCaptions =
      schema.has(attributes, "ZASSETDESCRIPTION")
      && schema.has("ZASSETDESCRIPTION", "ZLONGDESCRIPTION")
      && schema.has("ZASSETDESCRIPTION", "Z_PK")
    return """
      SELECT a.Z_PK, \(text(own("ZUUID"), 65)), \(integer(own("ZKIND"))),
        \(text(own("ZDIRECTORY"), 1025)), \(text(own("ZFILENAME"), 256)),
        a.ZHIDDEN, \(integer(own("ZFAVORITE"))), a.ZTRASHEDSTATE, a.ZSAVEDASSETTYPE,
        a.ZCLOUDBATCHPUBLISHDATE IS NOT NULL,
        \(integer(schema.adjustments.map { "a.\($0)" } ?? "NULL")),
        \(integer(own("ZKINDSUBTYPE"))), \(real(own("ZDATECREATED"))),
        \(real(own("ZLATITUDE"))), \(real(own("ZLONGITUDE"))),
        \(text(own("ZAVALANCHEUUID"), 65)), \(integer(own("ZAVALANCHEPICKTYPE"))),
        \(text(more("ZORIGINALFILENAME"), 1025)), \(text(more("ZTITLE"), 4000)),
        \(integer(more("ZTIMEZONEOFFSET"))),
        \(hasCaptions ? text("d.ZLONGDESCRIPTION", 4000) : "NULL"),
        \(schema.kinds.map(integer).joined(separator: ", ")),
        \(integer(own("ZBUNDLESCOPE"))), \(own("ZMOMENTSHARE")) IS NOT NULL,
        \(integer(own("ZACTIVELIBRARYSCOPEPARTICIPATIONSTATE"))),
        \(more("ZSYNDICATIONIDENTIFIER")) IS NOT NULL
      FROM \(schema.assets) AS a
      LEFT JOIN \(attributes) AS t ON t.ZASSET = a.Z_PK
      \(hasCaptions ? "LEFT JOIN ZASSETDESCRIPTION AS d ON d.Z_PK = t.ZASSETDESCRIPTION" : "")
      WHERE typeof(a.Z_PK) = 'integer' ORDER BY a.Z_PK
      """
  }

  /// - Returns: The rows of the assets, in their order, which is ascending.
  private static func assets(
    _ db: Database,
    _ schema: PhotosSchema,
    _ take: (PhotosAsset?) throws -> Void
  ) throws -> [Int64] {
    let hasResources =
      ["ZASSET", "ZDATASTORESUBTYPE", "ZLOCALAVAILABILITY"]
      .allSatisfy { schema.has("ZINTERNALRESOURCE", $0) }
    var keywords = try Merged<String>(db, keywordRows(schema)) { $0[1] }
    var people = try Merged<String>(db, personRows(schema)) { $0[1] }
    var local = try Merged<Int64>(
      db,
      hasResources
        ? """
        SELECT ZASSET, ZLOCALAVAILABILITY FROM ZINTERNALRESOURCE
        WHERE ZDATASTORESUBTYPE = 1 AND typeof(ZASSET) = 'integer'
          AND typeof(ZLOCALAVAILABILITY) = 'integer' ORDER BY ZASSET
        """ : nil
    ) { $0[1] }
    var assetRows: [Int64] = []
    var last: Int64?
    let rows = try Row.fetchCursor(db, sql: assetQuery(schema))
    while let row = try rows.next() {
      let key: Int64 = row[0]
      // A second row of attributes tells of the same asset.
      if key == last { continue }
      last = key
      guard assetRows.count < PhotosIndex.maximumAssets else {
        throw PhotosLibraryError(.tooLarge, "more than \(PhotosIndex.maximumAssets) assets")
      }
      var asset = asset(row)
      let (words, names) = (try keywords.values(of: key), try people.values(of: key))
      asset?.keywords = checked(
        words,
        atMost: MediaDescription.maximumKeywords,
        of: MediaDescription.maximumKeywordLength
      )
      asset?.people = checked(
        names,
        atMost: MediaDescription.maximumPeople,
        of: MediaDescription.maximumNameLength
      )
      let availability = try local.values(of: key)
      // Where no resource says otherwise, the file is expected to be there.
      if !hasResources || availability.isEmpty || availability.contains(1) {
        asset?.marks.insert(.local)
      }
      if asset != nil { assetRows.append(key) }
      try take(asset)
    }
    return assetRows
  }

  /// The first so many texts in their checked form, each once.
  private static func checked(_ texts: [String], atMost count: Int, of length: Int) -> [String] {
    var result: [String] = []
    for text in texts where result.count < count {
      guard let text = PhotosText.checked(text, limit: length), !result.contains(text) else {
        continue
      }
      result.append(text)
    }
    return result
  }

  /// The names of the people of each asset; nil where the schema has none. A person who was merged with
  /// another one has the name of that one.
  ///
  /// Source: osxphotos, `photosdb.py`, `_process_faceinfo`.
  private static func personRows(_ schema: PhotosSchema) -> String? {
    let (faces, persons) = ("ZDETECTEDFACE", "ZPERSON")
    // macOS 14 has given both columns other names.
    func first(_ names: String...) -> String? { names.first { schema.has(faces, $0) } }
    guard let asset = first("ZASSETFORFACE", "ZASSET"),
      let person = first("ZPERSONFORFACE", "ZPERSON"),
      schema.has(persons, "Z_PK"), schema.has(persons, "ZFULLNAME")
    else { return nil }
    let target = schema.column(persons, "ZMERGETARGETPERSON", as: "p")
    return """
      SELECT f.\(asset) AS asset, \(text("coalesce(m.ZFULLNAME, p.ZFULLNAME)", 1000)) AS name
      FROM \(faces) AS f JOIN \(persons) AS p ON p.Z_PK = f.\(person)
      LEFT JOIN \(persons) AS m ON m.Z_PK = \(target)
      WHERE typeof(f.\(asset)) = 'integer' AND name > '' ORDER BY asset, name
      """
  }

  private static func keywordRows(_ schema: PhotosSchema) -> String? {
    guard let join = schema.keywords, schema.has("ZKEYWORD", "ZTITLE"),
      schema.has("ZKEYWORD", "Z_PK")
    else { return nil }
    return """
      SELECT t.ZASSET, \(text("k.ZTITLE", 1000)) AS title FROM \(join.table) AS j
      JOIN ZADDITIONALASSETATTRIBUTES AS t ON t.Z_PK = j.\(join.owner)
      JOIN ZKEYWORD AS k ON k.Z_PK = j.\(join.member)
      WHERE typeof(t.ZASSET) = 'integer' AND typeof(k.ZTITLE) = 'text' ORDER BY t.ZASSET, title
      """
  }

  /// The seconds from 1970 to 2001, from which Core Data counts.
  private static let epoch: Double = 978_307_200

  private static func asset(_ row: Row) -> PhotosAsset? {
    guard let uuid: String = row[1], var asset = PhotosAsset(uuid: uuid) else { return nil }
    let flag = { (index: Int) -> Bool in
      // What is no number counts as true where that keeps a photo back.
      guard let value = row[index] as DatabaseValue? else { return false }
      return !value.isNull && Int64.fromDatabaseValue(value) != 0
    }
    if row[2] as Int64? == 1 { asset.marks.insert(.video) }
    if flag(5) { asset.marks.insert(.hidden) }
    if row[6] as Int64? == 1 { asset.marks.insert(.favorite) }
    if flag(7) { asset.marks.insert(.trashed) }
    if row[9] as Bool { asset.marks.insert(.shared) }
    readScope(row, into: &asset)
    if let state: Int64 = row[10], state > 0 { asset.marks.insert(.edited) }
    asset.directory = (row[3] as String?).flatMap(PhotosText.path)
    asset.fileName = (row[4] as String?).flatMap(PhotosText.name)
    // 10: the file was not copied into the library.
    let savedType = Int64.fromDatabaseValue(row[8] as DatabaseValue)
    if savedType == 10 || asset.directory == nil || asset.fileName == nil {
      asset.marks.insert(.referenced)
    }
    readKind(row, into: &asset)
    if let seconds: Double = row[12], abs(seconds) < 8e9 {
      asset.taken = Int64(((seconds + epoch) * 1e6).rounded())
    }
    if let latitude: Double = row[13], let longitude: Double = row[14],
      abs(latitude) <= 90, abs(longitude) <= 180
    {
      asset.place = MediaDescription.Place(
        latitude: Int((latitude * 1e7).rounded()),
        longitude: Int((longitude * 1e7).rounded())
      )
    }
    readBurst(row, into: &asset)
    let limit = PhotosAsset.maximumNameLength
    asset.originalName = (row[17] as String?).flatMap { PhotosText.checked($0, limit: limit) }
    asset.title = (row[18] as String?).flatMap {
      PhotosText.checked($0, limit: MediaDescription.maximumCaptionLength)
    }
    if let offset: Int64 = row[19], offset.magnitude <= 18 * 3600 {
      asset.offsetMinutes = Int(offset / 60)
    }
    asset.caption = (row[20] as String?).flatMap {
      PhotosText.checked($0, limit: MediaDescription.maximumCaptionLength)
    }
    return asset
  }

  /// Source: values of `ZBUNDLESCOPE`: 1 an iCloud link, 2 a shared album, 3 a conversation, and of `ZSAVEDASSETTYPE`: 8 an
  /// iCloud link, 12 a conversation, in iLEAPP's artifacts of `Photos.sqlite`.
  private static func readScope(_ row: Row, into asset: inout PhotosAsset) {
    let scope = row[25] as Int64? ?? 0
    let savedType = Int64.fromDatabaseValue(row[8] as DatabaseValue) ?? 0
    if scope == 2 {
      asset.marks.insert(.shared)
    } else if scope != 0 || savedType == 8 || savedType == 12 {
      asset.marks.insert(.ofOthers)
    }
    if row[26] as Bool || (row[27] as Int64? ?? 0) != 0 { asset.marks.insert(.inSharedLibrary) }
    if row[28] as Bool { asset.marks.insert(.inConversation) }
  }

  /// Source: osxphotos, values of `ZKINDSUBTYPE`, of `ZDEPTHTYPE`, which is not 0 of what is in the album
  /// of portraits, of `ZCAMERACAPTUREDEVICE`, which is 1 of the camera on the side of the screen, of
  /// `ZSPATIALTYPE`: 1 spatial, 2 made spatial, and of `ZHDRTYPE`: 3 HDR, 6 a panorama.
  private static func readKind(_ row: Row, into asset: inout PhotosAsset) {
    switch row[11] as Int64? {
    case 1: asset.subtypes.insert(.photoPanorama)
    case 2: asset.marks.insert(.live)
    case 10: asset.subtypes.insert(.photoScreenshot)
    case 101: asset.subtypes.insert(.videoHighFrameRate)
    case 102: asset.subtypes.insert(.videoTimelapse)
    case 103: asset.subtypes.insert(.videoScreenRecording)
    default: break
    }
    if let spatial: Int64 = row[23], spatial != 0 { asset.subtypes.insert(.spatialMedia) }
    guard !asset.marks.contains(.video) else { return }
    if let depth: Int64 = row[21], depth != 0 { asset.subtypes.insert(.photoDepthEffect) }
    if row[22] as Int64? == 1 { asset.subtypes.insert(.photoSelfie) }
    if row[24] as Int64? == 3 { asset.subtypes.insert(.photoHDR) }
    if row[24] as Int64? == 6 { asset.subtypes.insert(.photoPanorama) }
  }

  /// Source: osxphotos, bits of `ZAVALANCHEPICKTYPE`: 2 not selected, 4 the default pick, 8 selected, 16 the key photo.
  private static func readBurst(_ row: Row, into asset: inout PhotosAsset) {
    guard let burst: String = row[15], PhotosText.isIdentifier(burst) else { return }
    asset.burst = burst
    if let pick: Int64 = row[16], pick != 0 { asset.isBurstPick = pick & (4 | 8 | 16) != 0 }
  }

  // MARK: Albums

  /// The kind of an album that a person made.
  private static let userAlbum = 2

  private static func albums(
    _ db: Database,
    _ schema: PhotosSchema,
    _ assetRows: [Int64],
    _ take: (PhotosAlbum?) throws -> Void
  ) throws {
    var members = try Merged<Int64>(db, memberRows(schema)) { $0[1] }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT Z_PK, \(text("ZUUID", 65)), \(text("ZTITLE", 2000)) FROM ZGENERICALBUM
        WHERE ZKIND = \(userAlbum) AND ZTRASHEDSTATE = 0 AND typeof(Z_PK) = 'integer' ORDER BY Z_PK
        """
    )
    var (albums, memberships) = (0, 0)
    while let row = try rows.next() {
      let key: Int64 = row[0]
      let assets = try members.values(of: key).compactMap { number(of: $0, in: assetRows) }
      albums += 1
      memberships += assets.count
      guard albums <= PhotosIndex.maximumAlbums, memberships <= PhotosIndex.maximumMembers else {
        throw PhotosLibraryError(.tooLarge, "too many albums")
      }
      guard let uuid: String = row[1], let title: String = row[2] else {
        try take(nil)
        continue
      }
      try take(PhotosAlbum(uuid: uuid, title: title, members: assets))
    }
  }

  /// The index of a row among rows in ascending order; nil when it is not there.
  private static func number(of row: Int64, in rows: [Int64]) -> UInt32? {
    var range = rows.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if rows[middle] == row { return UInt32(middle) }
      range =
        rows[middle] < row ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The members of each album in the order in which Photos shows them: by date, upwards or downwards, by
  /// title, or as a person has put them. Each joined row stands for one member, whatever is there twice.
  ///
  /// Source: osxphotos, `albuminfo.py`, `sort_order`: 1 of `ZCUSTOMSORTKEY` is by date, 5 by title.
  private static func memberRows(_ schema: PhotosSchema) -> String {
    let (join, albums) = (schema.albums, "ZGENERICALBUM")
    let attributes = "ZADDITIONALASSETATTRIBUTES"
    var (orders, joins) = (["j.\(join.owner)"], "")
    if ["ZCUSTOMSORTKEY", "ZCUSTOMSORTASCENDING"].allSatisfy({ schema.has(albums, $0) }) {
      orders += ["CASE g.isUp WHEN 0 THEN -a.date ELSE a.date END", "t.title"]
      joins = """
        LEFT JOIN (
          SELECT Z_PK AS album, max(ZCUSTOMSORTKEY) AS kind, max(ZCUSTOMSORTASCENDING) AS isUp
          FROM \(albums) GROUP BY Z_PK
        ) AS g ON g.album = j.\(join.owner)
        LEFT JOIN (
          SELECT o.Z_PK AS asset, max(\(real(schema.column(schema.assets, "ZDATECREATED", as: "o")))) AS date
          FROM \(schema.assets) AS o GROUP BY o.Z_PK
        ) AS a ON a.asset = j.\(join.member) AND g.kind = 1
        LEFT JOIN (
          SELECT o.ZASSET AS asset, max(\(text(schema.column(attributes, "ZTITLE", as: "o"), 1000))) AS title
          FROM \(attributes) AS o GROUP BY o.ZASSET
        ) AS t ON t.asset = j.\(join.member) AND g.kind = 5
        """
    }
    orders += [join.order, join.member].compactMap { $0.map { "j.\($0)" } }
    return """
      SELECT j.\(join.owner), j.\(join.member) FROM \(join.table) AS j
      \(joins)
      WHERE typeof(j.\(join.owner)) = 'integer' AND typeof(j.\(join.member)) = 'integer'
      ORDER BY \(orders.joined(separator: ", "))
      """
  }

  /// Rows in the order of a key, which are taken in step with other rows in that order: one query for all rows has
  /// a bound, where one for each row would have none in a table without an index.
  private struct Merged<Value> {
    private var rows: RowCursor?
    private var next: (key: Int64, value: Value)?
    private let value: (Row) -> Value

    init(_ db: Database, _ sql: String?, value: @escaping (Row) -> Value) throws {
      rows = try sql.map { try Row.fetchCursor(db, sql: $0) }
      self.value = value
      try advance()
    }

    private mutating func advance() throws {
      next = try rows?.next().map { ($0[0] as Int64, value($0)) }
    }

    /// The values of a key that comes behind those that were asked for.
    mutating func values(of key: Int64) throws -> [Value] {
      var values: [Value] = []
      while let row = next, row.key <= key {
        if row.key == key { values.append(row.value) }
        try advance()
      }
      return values
    }
  }
}
