// A program whose instructions and allocations scripts/costs.py counts: it does with pictures what a worker and its
// coordinator do, in one process without confinement, and writes no file but the catalogue. Never installed.
//
// file-probe FOLDER LIBRARY TIMES   all pictures of FOLDER, TIMES times; the catalogue stands in the folder LIBRARY
//
// Valgrind 3.19 does not know openat2, by which a library's files and those of a source are opened: not so here.
import Glibc
import MediaCodecs
import MediaContainers
import MediaDigest
import MediaFileSystem
import MediaImaging
import MediaLibrary
import MediaMetadata
import MediaModel
import MediaStripping

let arguments = CommandLine.arguments
guard arguments.count == 4, let times = Int(arguments[3]) else { exit(64) }
try run(folder: Array(arguments[1].utf8), library: Array(arguments[2].utf8), times: times)

/// Takes a batch of all pictures through its states, so many times.
func run(folder path: [UInt8], library: [UInt8], times: Int) throws {
  var names = try FileSystem.entries(of: FileSystem.openFolder(path)).map(\.name)
  names.sort { $0.lexicographicallyPrecedes($1) }
  let catalogue = try Catalogue(in: library, LibraryFolder.catalogueName, keep: { _ in })
  let (run, start) = ("0000aaaa", SaveTime(microseconds: 0))
  let log = AuditPosition(file: "000001-0000aaaa.ndjson", run: run, records: 1, bytes: 9, head: "h")
  try catalogue.beginRun(run, started: start, client: "c", manifestSHA256: "m", audit: log)
  let maker = ImageThumbnailer(cleanedProfile: ICCProfile.cleaned)
  for time in 0..<times {
    let batch = try catalogue.intend(run: run, firstAccess: 1, audit: log)
    var staged = StagedBatch(results: [], assets: [])
    for (index, name) in names.enumerated() {
      let file = try FileSystem.openFile(path + [UInt8(ascii: "/")] + name)
      let path = ItemPath(bytes: Array("\(time)/".utf8) + name)
      let saveTime = SaveTime(microseconds: Int64(time * names.count + index))
      let status = try file.status()
      let item = PlannedItem(source: .camera, path: path, status: status, saveTime: saveTime)
      let asset = try asset(of: file, item, maker)
      var result = ItemResult(item: item, outcome: .imported, writtenUnder: "", policy: .strip)
      result.localIdentifier = asset.localIdentifier
      result.thumbnails = asset.thumbnails
      staged.results.append(result)
      staged.assets.append(asset)
    }
    try catalogue.stage(batch, staged)
    try catalogue.publish(batch, staged, run: run)
    try catalogue.finish([batch], run: run, audit: log)
  }
  catalogue.close()
}

/// Reads and strips a picture, and makes its thumbnail.
func asset(of file: Descriptor, _ item: PlannedItem, _ maker: ImageThumbnailer) throws
  -> StagedAsset
{
  let length = Int(item.status.size)
  let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, file.raw, 0)
  guard address != MAP_FAILED else { exit(66) }
  defer { munmap(address, length) }
  let picture = UnsafeRawBufferPointer(start: address, count: length)
  let (source, cache) = (ByteSource(picture), PictureDataCache(keepsPixels: true))
  guard let format = FormatSniffer.format(of: source) else { exit(65) }
  let facts = try MetadataReader.describedFacts(of: source, format: format)
  let list = try Stripper.editList(of: source, format: format, cache: cache)
  let box = PixelSize(width: 256, height: 256)
  let spec = ThumbnailSpec(name: "fit-256", size: box, contentMode: .aspectFit)
  let thumbnails = try maker.thumbnails(
    of: picture,
    format: format,
    orientation: facts.orientation,
    specifications: [spec],
    isStripped: true,
    cache: cache
  )
  var hash = SHA256()
  hash.update(picture)
  let digest = hash.finalize()
  var asset = StagedAsset(
    localIdentifier: LocalIdentifier.make(),
    saveTime: item.saveTime,
    label: item.path.text,
    mediaType: format.mediaType,
    source: .camera,
    policy: .strip,
    facts: facts,
    stagedName: item.saveTime.time
  )
  asset.resources = [
    StagedResource(
      role: .photo,
      fileName: "picture.jpg",
      format: .media(format),
      bytes: Int64(list.operations.reduce(0) { $0 + $1.outputLength }),
      sha256: Hexadecimal.text(digest),
      sourceDigest: digest,
      source: .camera,
      sourcePath: item.path
    )
  ]
  asset.thumbnails = thumbnails.map { thumbnail in
    StagedThumbnail(
      name: thumbnail.name,
      fingerprint: spec.fingerprint,
      size: thumbnail.pixelSize,
      stagedName: "\(item.saveTime.time).fit-256",
      date: item.saveTime.date,
      fileName: "\(item.saveTime.time) picture.jpg",
      bytes: Int64(thumbnail.bytes.count),
      sha256: Hexadecimal.text(SHA256.hash(thumbnail.bytes)),
      thumbHash: thumbnail.hashes?.thumb.bytes,
      perceptualHash: thumbnail.hashes?.perceptual.stored
    )
  }
  return asset
}
