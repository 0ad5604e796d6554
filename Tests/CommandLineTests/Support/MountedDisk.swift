import Glibc
import MediaTestSupport
import Testing

/// A file system that people have, mounted for a script.
///
/// It is mounted in namespaces of the script's own, of mounts and of processes: what serves it is ended with the
/// script, however that ends, and its loop device is freed.
enum MountedDisk: String, CaseIterable, CustomTestStringConvertible {
  case ext4, xfs, btrfs
  /// exfat-fuse: no links, no case of letters, no permissions.
  case exfat
  /// lowntfs-3g with the rules of Windows for names.
  case ntfs
  /// SFTP, without a network.
  case sshfs
  /// A folder as rclone mounts a cloud's, without a cache.
  case rclone

  var testDescription: String { rawValue }

  private var tools: [String] {
    switch self {
    case .ext4: ["mkfs.ext4"]
    case .xfs: ["mkfs.xfs"]
    case .btrfs: ["mkfs.btrfs"]
    case .exfat: ["mkfs.exfat", "mount.exfat-fuse"]
    case .ntfs: ["mkntfs", "lowntfs-3g"]
    case .sshfs: ["sshfs"]
    case .rclone: ["rclone", "fusermount3"]
    }
  }

  /// Whether this is a run of everything, by root, in which it can be mounted.
  var isAvailable: Bool { Self.available.contains(self) }

  private static let available: Set<MountedDisk> = {
    guard Amount.isAll, getuid() == 0, Tool.exists("unshare"), Tool.exists("losetup") else {
      return []
    }
    return Set(
      allCases.filter { disk in
        guard disk.tools.allSatisfy({ Tool.exists($0) }) else { return false }
        return (try? disk.run("true", in: TemporaryFolder.untilExit().path))?.code == 0
      }
    )
  }()

  /// The functions `make`, and `attach`, which mounts it at `disk`.
  private var functions: String {
    func image(_ size: String, _ make: String, _ mount: String) -> String {
      """
      make() { truncate -s \(size) image && \(make) image; }
      attach() { \(mount); }
      """
    }
    func served(_ size: String, _ make: String, by server: String) -> String {
      // A device that is freed as soon as nothing serves it.
      image(
        size,
        make,
        """
        device=$(losetup -f --show image) && { \(server) "$device" disk; mounted=$?
          losetup -d "$device"; return "$mounted"; }
        """
      )
    }
    return switch self {
    case .ext4: image("96M", "mkfs.ext4 -q -F", "mount -o loop image disk")
    case .xfs: image("320M", "mkfs.xfs -q -f", "mount -o loop image disk")
    case .btrfs: image("128M", "mkfs.btrfs -q -f", "mount -o loop image disk")
    case .exfat: served("64M", "mkfs.exfat", by: "mount.exfat-fuse")
    case .ntfs:
      served("64M", "mkntfs -q -F -Q", by: "lowntfs-3g -o ignore_case,windows_names")
    case .sshfs:
      """
      make() {
        mkdir served
        printf '#!/bin/sh\\nexec /usr/lib/openssh/sftp-server\\n' >connect && chmod +x connect
      }
      attach() { sshfs -o ssh_command="$PWD/connect" "localhost:$PWD/served" disk; }
      """
    case .rclone:
      """
      make() { mkdir served; }
      attach() { rclone mount --config /dev/null --daemon "$PWD/served" disk; }
      """
    }
  }

  /// Runs a bash script in a folder in which `disk` is this file system, empty at first; `remount` mounts it anew,
  /// and `$mediabatch` is the program.
  ///
  /// - Returns: Its outcome; 77 where it could not be mounted.
  func run(_ script: String, in folder: String) throws -> Outcome {
    let whole = """
      \(functions)
      remount() { umount disk && attach; }
      mkdir disk && make >mounting 2>&1 && attach >>mounting 2>&1 || { cat mounting; exit 77; }
      \(script)
      """
    return Outcome(
      try Tool.run(
        "unshare",
        [
          "-m", "-p", "-f", "--mount-proc", "--kill-child", "--propagation", "private", "bash",
          "-c", whole,
        ],
        environment: Scene.environment(in: folder).merging(
          ["mediabatch": try Scene.executable()]) { $1 },
        in: folder
      )
    )
  }
}
