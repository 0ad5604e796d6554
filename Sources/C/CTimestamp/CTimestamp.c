#define _GNU_SOURCE 1
#include "CTimestamp.h"

#include "libcrypto.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const unavailable =
  "OpenSSL's libcrypto.so.3 cannot be loaded; install the Debian package libssl3";

static int fail(char *error, size_t capacity, const char *reason) {
  // The first error is the cause; OpenSSL adds those of the callers behind it.
  unsigned long code = ERR_get_error();
  const char *more = code ? ERR_reason_error_string(code) : NULL;
  const char *data = NULL;
  int flags = 0;
  unsigned long other;
  while ((other = ERR_get_error_all(NULL, NULL, NULL, &data, &flags)) != 0) {
    if (ERR_reason_error_string(other)) more = ERR_reason_error_string(other);
  }
  if (more) {
    snprintf(error, capacity, "%s (%s)", reason, more);
  } else {
    snprintf(error, capacity, "%s", reason);
  }
  ERR_clear_error();
  return 0;
}

int ctimestamp_is_available(void) {
  return crypto_load() ? 1 : 0;
}

// Whether libcrypto can be called; without a reason in `error` that is left from before.
static bool begin(char *error, size_t capacity) {
  if (!crypto_load()) {
    if (capacity) snprintf(error, capacity, "%s", unavailable);
    return false;
  }
  ERR_clear_error();
  return true;
}

static int set_nonce(const ASN1_INTEGER *nonce, struct ctimestamp_facts *facts) {
  facts->nonce[0] = 0;
  if (!nonce) return 1;
  BIGNUM *number = ASN1_INTEGER_to_BN(nonce, NULL);
  char *digits = number ? BN_bn2hex(number) : NULL;
  int fits = digits && strlen(digits) < sizeof facts->nonce;
  if (fits) strcpy(facts->nonce, digits);
  OPENSSL_free(digits);
  BN_free(number);
  return fits;
}

static int set_imprint(TS_MSG_IMPRINT *imprint, struct ctimestamp_facts *facts) {
  if (!imprint) return 0;
  const ASN1_OBJECT *algorithm = NULL;
  X509_ALGOR_get0(&algorithm, NULL, NULL, TS_MSG_IMPRINT_get_algo(imprint));
  ASN1_OCTET_STRING *digest = TS_MSG_IMPRINT_get_msg(imprint);
  if (OBJ_obj2nid(algorithm) != NID_sha256 || ASN1_STRING_length(digest) != sizeof facts->imprint) return 0;
  memcpy(facts->imprint, ASN1_STRING_get0_data(digest), sizeof facts->imprint);
  return 1;
}

size_t ctimestamp_request(const unsigned char imprint[32], unsigned char *buffer, size_t capacity) {
  if (!begin(NULL, 0)) return 0;
  size_t length = 0;
  unsigned char random[8];
  TS_REQ *request = TS_REQ_new();
  TS_MSG_IMPRINT *message = TS_MSG_IMPRINT_new();
  X509_ALGOR *algorithm = X509_ALGOR_new();
  BIGNUM *number = NULL;
  ASN1_INTEGER *nonce = NULL;
  if (!request || !message || !algorithm) goto end;
  // The parameters are absent or NULL (RFC 5754, section 2); servers expect NULL, as openssl ts writes it.
  if (!X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL)) goto end;
  if (!TS_MSG_IMPRINT_set_algo(message, algorithm)) goto end;
  if (!TS_MSG_IMPRINT_set_msg(message, (unsigned char *)imprint, 32)) goto end;
  if (RAND_bytes(random, sizeof random) != 1) goto end;
  // No leading zero, so that each nonce has one text in hexadecimal digits.
  random[0] = (random[0] & 0x3f) | 0x40;
  number = BN_bin2bn(random, sizeof random, NULL);
  nonce = number ? BN_to_ASN1_INTEGER(number, NULL) : NULL;
  if (!nonce || !TS_REQ_set_version(request, 1) || !TS_REQ_set_msg_imprint(request, message)
      || !TS_REQ_set_nonce(request, nonce) || !TS_REQ_set_cert_req(request, 1)) {
    goto end;
  }
  int needed = i2d_TS_REQ(request, NULL);
  if (needed > 0 && (size_t)needed <= capacity) {
    unsigned char *place = buffer;
    length = (size_t)i2d_TS_REQ(request, &place);
  }
end:
  ASN1_INTEGER_free(nonce);
  BN_free(number);
  X509_ALGOR_free(algorithm);
  TS_MSG_IMPRINT_free(message);
  TS_REQ_free(request);
  ERR_clear_error();
  return length;
}

int ctimestamp_read_request(const unsigned char *bytes, size_t count, struct ctimestamp_facts *facts,
                            char *error, size_t capacity) {
  memset(facts, 0, sizeof *facts);
  if (!begin(error, capacity)) return 0;
  if (count > LONG_MAX) return fail(error, capacity, "it is too long");
  const unsigned char *place = bytes;
  TS_REQ *request = d2i_TS_REQ(NULL, &place, (long)count);
  if (!request || place != bytes + count) {
    TS_REQ_free(request);
    return fail(error, capacity, "it is no time-stamp request");
  }
  int good = set_imprint(TS_REQ_get_msg_imprint(request), facts) && set_nonce(TS_REQ_get_nonce(request), facts);
  TS_REQ_free(request);
  return good ? 1 : fail(error, capacity, "it asks for another digest than SHA-256");
}

// Reads a response to its last byte.
static TS_RESP *parse(const unsigned char *bytes, size_t count) {
  if (count > LONG_MAX) return NULL;
  const unsigned char *place = bytes;
  TS_RESP *response = d2i_TS_RESP(NULL, &place, (long)count);
  if (response && place != bytes + count) {
    TS_RESP_free(response);
    return NULL;
  }
  return response;
}

// The certificate in the token whose key has signed it; NULL without one. The response keeps it.
static X509 *signer_of(PKCS7 *token) {
  if (!token || !PKCS7_type_is_signed(token) || !token->d.sign) return NULL;
  STACK_OF(PKCS7_SIGNER_INFO) *infos = PKCS7_get_signer_info(token);
  // RFC 3161, section 2.4.2: the token has one signature.
  if (!infos || sk_PKCS7_SIGNER_INFO_num(infos) != 1) return NULL;
  STACK_OF(X509) *signers = PKCS7_get0_signers(token, NULL, 0);
  X509 *signer = signers && sk_X509_num(signers) == 1 ? sk_X509_value(signers, 0) : NULL;
  sk_X509_free(signers);
  return signer;
}

static int set_time(const ASN1_GENERALIZEDTIME *time, struct ctimestamp_facts *facts) {
  struct tm parts;
  if (!time || !ASN1_TIME_to_tm(time, &parts)) return 0;
  facts->seconds = (int64_t)timegm(&parts);
  return 1;
}

int ctimestamp_read(const unsigned char *bytes, size_t count, struct ctimestamp_facts *facts, char *error,
                    size_t capacity) {
  memset(facts, 0, sizeof *facts);
  if (!begin(error, capacity)) return 0;
  TS_RESP *response = parse(bytes, count);
  if (!response) return fail(error, capacity, "it is no time-stamp response");
  int result = 0;
  TS_STATUS_INFO *status = TS_RESP_get_status_info(response);
  const ASN1_INTEGER *code = status ? TS_STATUS_INFO_get0_status(status) : NULL;
  TS_TST_INFO *info = TS_RESP_get_tst_info(response);
  if (!code || ASN1_INTEGER_get(code) != TS_STATUS_GRANTED) {
    fail(error, capacity, "the authority has not granted the request as it was made");
  } else if (!info || !TS_RESP_get_token(response)) {
    fail(error, capacity, "it has no token");
  } else if (!set_imprint(TS_TST_INFO_get_msg_imprint(info), facts)) {
    fail(error, capacity, "it is about another digest than SHA-256");
  } else if (!set_time(TS_TST_INFO_get_time(info), facts) || !set_nonce(TS_TST_INFO_get_nonce(info), facts)) {
    fail(error, capacity, "its time or its nonce cannot be read");
  } else {
    X509 *signer = signer_of(TS_RESP_get_token(response));
    BIO *text = signer ? BIO_new(BIO_s_mem()) : NULL;
    char *start = NULL;
    if (text && X509_NAME_print_ex(text, X509_get_subject_name(signer), 0, XN_FLAG_RFC2253) >= 0) {
      long length = BIO_get_mem_data(text, &start);
      size_t taken = length < 0 ? 0 : (size_t)length;
      if (taken >= sizeof facts->signer) taken = sizeof facts->signer - 1;
      if (taken) memcpy(facts->signer, start, taken);
      result = 1;
    } else {
      fail(error, capacity, "the certificate of its signer is not in it");
    }
    BIO_free(text);
  }
  TS_RESP_free(response);
  ERR_clear_error();
  return result;
}

// Adds all certificates of a PEM text to a store, if there is one; the number of them.
static int add_authorities(X509_STORE *store, const char *pem, size_t count) {
  int added = 0;
  BIO *input = count <= INT_MAX ? BIO_new_mem_buf(pem, (int)count) : NULL;
  X509 *certificate;
  // No password: what is encrypted is no certificate.
  while (input && (certificate = PEM_read_bio_X509(input, NULL, NULL, (void *)"")) != NULL) {
    added += !store || X509_STORE_add_cert(store, certificate) == 1;
    X509_free(certificate);
  }
  BIO_free(input);
  ERR_clear_error();
  return added;
}

int ctimestamp_check_authorities(const char *authorities, size_t count, char *error, size_t capacity) {
  if (!begin(error, capacity)) return 0;
  return add_authorities(NULL, authorities, count) ? 1 : fail(error, capacity, "it has no PEM certificate");
}

int ctimestamp_verify(const unsigned char *bytes, size_t count, const unsigned char imprint[32],
                      const char *authorities, size_t authorities_count, char *error, size_t capacity) {
  struct ctimestamp_facts facts;
  if (!ctimestamp_read(bytes, count, &facts, error, capacity)) return 0;
  TS_RESP *response = parse(bytes, count);
  X509_STORE *store = X509_STORE_new();
  TS_VERIFY_CTX *context = TS_VERIFY_CTX_new();
  unsigned char *expected = OPENSSL_memdup(imprint, 32);
  int result = 0;
  if (!response || !store || !context || !expected) {
    fail(error, capacity, "libcrypto has no memory");
    goto end;
  }
  if (authorities_count > 0) {
    if (add_authorities(store, authorities, authorities_count) == 0) {
      fail(error, capacity, "the file of the authority has no PEM certificate");
      goto end;
    }
    // A certificate that has expired since says nothing against what it signed while it was valid.
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), (time_t)facts.seconds);
  } else {
    X509 *signer = signer_of(TS_RESP_get_token(response));
    if (!signer || X509_STORE_add_cert(store, signer) != 1) {
      fail(error, capacity, "the certificate of its signer is not in it");
      goto end;
    }
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME);
  }
  TS_VERIFY_CTX_set_flags(context, TS_VFY_VERSION | TS_VFY_IMPRINT | TS_VFY_SIGNATURE);
  // The context owns both.
  CTIMESTAMP_SET_STORE(context, store);
  store = NULL;
  CTIMESTAMP_SET_IMPRINT(context, expected, 32);
  expected = NULL;
  if (TS_RESP_verify_response(context, response) == 1) {
    result = authorities_count > 0 ? ctimestamp_trusted : ctimestamp_signed;
  } else {
    fail(error, capacity, "its signature is not good");
  }
end:
  OPENSSL_free(expected);
  X509_STORE_free(store);
  TS_VERIFY_CTX_free(context);
  TS_RESP_free(response);
  ERR_clear_error();
  return result;
}
