# SPDX-License-Identifier: MIT
#
# awk -f proofs.awk: one release for table.awk.  The input has a line "function kind CALLED
# SUCCEEDED ..." for each function, the two numbers for the runs without a GPU and with the
# loopback.  The output has "function kind proofs", where proofs are of "real" and "loopback"
# with a comma between, or "none"; "refused" is added for a
# function that returned an error whenever it was called.

# These answer with a text, a device or nothing: any answer is one.
BEGIN {
    split("hipApiName hipCreateChannelDesc hipGetErrorName hipGetErrorString hipKernelNameRef " \
        "hipKernelNameRefByPtr hipPeekAtLastError hiprtcGetErrorString __hipGetPCH", names, " ")
    for (i in names) answers[names[i]] = 1
}
{
    proofs = ($3 ? ",real" : "") ($5 ? ",loopback" : "")
    succeeded = $4 || $6 || ($1 in answers) || $2 == "missing"
    if (proofs == "") proofs = ",none"
    else if (!succeeded) proofs = proofs ",refused"
    print $1, $2, substr(proofs, 2)
}
