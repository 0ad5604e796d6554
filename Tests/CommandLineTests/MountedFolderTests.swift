import Foundation
import MediaTestSupport
import Testing

/// Each takes some seconds. `make test-mounts` runs them alone.
@Suite(
  "A folder for others on the file systems that people have",
  .ownProcesses,
  .serialized,
  .enabled(if: Has.sqlite, "no sqlite3")
)
struct MountedFolderTests {
  /// Names that one file system or another does not take, or takes for one.
  private static let names = [
    "plain", "CON", "a:b?c", "q\"<>|*", "back\\slash", "dot.", " space ", "new\nline", "Case",
    "case", "CASE", "caf\u{E9}", "cafe\u{301}", "οδος", "οδοσ", "ΟΔΟΣ",
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", String(repeating: "x", count: 251),
    String(repeating: "é", count: 125),
  ]

  private func scene() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 220, 220, "aspectFill")])
    try scene.declare("library")
    for name in Self.names {
      try scene.put("sources/library/\(name).jpg", try Media.photo(name))
    }
    // Long enough that no file system keeps it beside its name.
    try scene.put(
      "sources/library/long.jpg",
      try Media.photo("long") + [UInt8](repeating: 7, count: 100_000)
    )
    try scene.run().expect(0)
    return scene
  }

  /// Every command, its repetition, after a remount too, and what is beside the folders in the end.
  private static let script = """
    mkdir disk/others && echo mine >disk/others/letter
    run() { local step=$1; shift
      "$mediabatch" "$@" --format json >"$step.json" 2>"$step.err"; echo "$step $?" >>codes; }
    bag() { run "$1" export Library disk/out --layout '{label}' --bag "${@:2}"; }
    bag first
    (cd disk/out && find data -type f -print0 | xargs -0 sha256sum -z) >sums
    bag again
    bag sidecars --sidecars xmp
    (cd disk/out && sha256sum -c --quiet manifest-sha256.txt) >bag.out 2>&1; echo "bag $?" >>codes
    remount || exit 78
    bag remounted --sidecars xmp
    run copy export Library disk/copy --as copy --layout 'a {label}'
    run linked export Library disk/linked --as hardlink
    run symlinked export Library disk/symlinked --as symlink
    run crate export Library disk/crate --ro-crate
    run gallery gallery Library disk/site --originals
    run galleryAgain gallery Library disk/site --originals
    run galleryOther gallery Library disk/site --neutral
    run sheet contact-sheet Library disk/sheet --pdf
    run sheetAgain contact-sheet Library disk/sheet --pdf
    run sheetOther contact-sheet Library disk/sheet --neutral
    run others export Library disk/others
    [ "$(cat disk/others/letter)" = mine ]; echo "letter $?" >>codes
    find disk -mindepth 1 -name '.*' ! -name .mediabatch-export >hidden
    if cp -a Library disk/Library 2>copied.err; then
      run own export disk/Library disk/own --as hardlink
      run shared export disk/Library disk/shared --layout '{label}'
      filefrag -v disk/shared/long.jpg >extents 2>&1
    fi
    umount disk
    """

  /// - Parameters:
  ///   - disk: The file system.
  ///   - refused: How many names it does not take.
  ///   - begun: How many of them it takes behind other letters.
  ///   - symlinked: How an export of symbolic links ends there.
  ///   - shares: Whether files share their content.
  ///   - mayLose: Whether it may say of any name, under load, that it is not there: then that file is named and
  ///     left out too.
  /// - Throws: What keeps the script from running.
  private func check(
    _ disk: MountedDisk,
    refused: Int = 0,
    begun: Int = 0,
    symlinked: Int32 = 0,
    shares: Bool = false,
    mayLose: Bool = false
  ) throws {
    let scene = try scene()
    let result = try disk.run(Self.script, in: scene.path)
    try #require(result.code == 0, "\(result.streams)")
    func text(_ name: String) throws -> String {
      String(decoding: try readBytes(scene.at(name)), as: UTF8.self)
    }
    var codes: [String: Int32] = [:]
    for line in try text("codes").split(separator: "\n") {
      let words = line.split(separator: " ")
      codes[String(words[0])] = Int32(words[1])
    }
    func expect(_ code: Int32, _ steps: String...) throws {
      for step in steps {
        let output = (try? text(step + ".json") + text(step + ".err")) ?? ""
        let isLost = mayLose && codes[step] == 3 && output.contains("No such file")
        #expect(codes[step] == code || isLost, "\(step): \(output)")
      }
    }
    let named: Int32 = refused == 0 ? 0 : 3
    try expect(named, "first", "again", "sidecars", "remounted", "copy", "crate")
    try expect(0, "bag", "letter")
    try expect(0, "gallery", "galleryAgain", "galleryOther", "sheet", "sheetAgain", "sheetOther")
    try expect(74, "linked")
    try expect(64, "others")
    try expect(symlinked, "symlinked")
    for step in ["first", "again", "sidecars", "remounted", "copy", "crate"] where refused > 0 {
      let json = try JSON(text: try text(step + ".json"))
      let error = try text(step + ".err")
      let count = json["refused"].array.count
      let wanted = step == "copy" ? refused - begun : refused
      #expect(count == wanted || mayLose && count > wanted, "\(step): \(error)")
    }
    for step in ["again", "remounted"] where refused == 0 {
      #expect(try JSON(text: try text(step + ".json"))["isCurrent"].bool == true, "\(step)")
    }
    for step in ["galleryAgain", "sheetAgain"] where !mayLose {
      #expect(try JSON(text: try text(step + ".json"))["isCurrent"].bool == true, "\(step)")
    }
    let sums = try text("sums").split(separator: "\0").map { String($0.prefix(64)) }
    let wanted = try scene.catalogue("SELECT sha256 FROM resources")
    #expect(Set(sums).isSubset(of: wanted))
    #expect(Set(sums).count == wanted.count - refused || mayLose)
    #expect(try text("hidden") == "")
    if codes["own"] != nil, [.ext4, .xfs, .btrfs].contains(disk) {
      try expect(0, "own", "shared")
      let extents = try text("extents")
      #expect(!shares || extents.contains("shared"), "\(extents)")
    }
  }

  @Test("ext4", .enabled(if: MountedDisk.ext4.isAvailable, "no mount of ext4 (root, test-all)"))
  func ext4() throws { try check(.ext4) }

  @Test("xfs", .enabled(if: MountedDisk.xfs.isAvailable, "no mount of xfs (root, test-all)"))
  func xfs() throws { try check(.xfs, shares: true) }

  @Test("btrfs", .enabled(if: MountedDisk.btrfs.isAvailable, "no mount of btrfs (root, test-all)"))
  func btrfs() throws { try check(.btrfs, shares: true) }

  @Test(
    "exFAT by FUSE: three names are refused, and there are no links",
    .enabled(if: MountedDisk.exfat.isAvailable, "no mount by exfat-fuse (root, FUSE, test-all)")
  )
  func exfat() throws { try check(.exfat, refused: 3, symlinked: 74) }

  @Test(
    "NTFS with the names of Windows: four are refused, of which CON may be the end of one",
    .enabled(if: MountedDisk.ntfs.isAvailable, "no mount by lowntfs-3g (root, FUSE, test-all)")
  )
  func ntfs() throws { try check(.ntfs, refused: 4, begun: 1, symlinked: 3, mayLose: true) }

  @Test(
    "sshfs",
    .enabled(if: MountedDisk.sshfs.isAvailable, "no mount by sshfs (root, FUSE, test-all)")
  )
  func sshfs() throws { try check(.sshfs) }

  @Test(
    "rclone",
    .enabled(if: MountedDisk.rclone.isAvailable, "no mount by rclone (root, FUSE, test-all)")
  )
  func rclone() throws { try check(.rclone, symlinked: 74) }
}
