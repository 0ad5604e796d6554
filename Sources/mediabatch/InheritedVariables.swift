internal import Glibc
internal import MediaModel

/// Variables of the environment by which a library would open files that nothing of a command names, such as one of a
/// denied source.
enum InheritedVariables {
  /// Those that name files alone.
  ///
  /// Source: environ(7), tzset(3), locale(7), iconv(3), gethostbyname(3), mallopt(3); ICU, putil.cpp; SQLite, "Temporary
  /// Files"; openssl-env(7); libgphoto2 and libltdl.
  static let dropped = [
    "TZDIR", "TZFILE", "LOCPATH", "NLSPATH", "GCONV_PATH", "HOSTALIASES", "RESOLV_HOST_CONF",
    "MALLOC_TRACE",
    "ICU_DATA", "ICU_TIMEZONE_FILES_DIR", "SQLITE_TMPDIR", "OPENSSL_CONF", "OPENSSL_CONF_INCLUDE",
    "OPENSSL_ENGINES", "OPENSSL_MODULES", "CTLOG_FILE", "RANDFILE", "SSL_CERT_DIR", "SSL_CERT_FILE",
    "CAMLIBS",
    "IOLIBS", "LTDL_LIBRARY_PATH",
  ]

  /// Drops them from this process and so from those that it starts; it may have one thread only.
  static func drop() {
    for name in dropped { unsetenv(name) }
    if let zone = getenv("TZ"), !isZone(String(cString: zone)) { unsetenv("TZ") }
  }

  /// Whether a value of `TZ` is the name of a zone or a rule of POSIX: no path, and no way out of the folder of zones.
  ///
  /// Source: tzset(3); glibc, tzfile.c.
  static func isZone(_ text: String) -> Bool {
    var text = text.utf8[...]
    if text.first == .colon { text.removeFirst() }
    return text.isEmpty
      || text.split(separator: UInt8.slash, omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && !part.elementsEqual("..".utf8)
          && part.allSatisfy { $0.isASCIIAlphanumeric || "+-_.,:<>".utf8.contains($0) }
      }
  }
}
