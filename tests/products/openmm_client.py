# SPDX-License-Identifier: MIT
"""What a user of OpenMM does on its HIP platform, one line for each step: openmm_client.py PLUGINS"""

import sys

import openmm
from openmm import unit

SHAPE = 4


def step(name, value=""):
    print(f"{name}: {value}".rstrip(": "), flush=True)


def molecules():
    system = openmm.System()
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    places = []
    system.setDefaultPeriodicBoxVectors((3, 0, 0), (0, 3, 0), (0, 0, 3))
    for number in range(SHAPE**3):
        system.addParticle(39.9)
        force.addParticle(0, 0.34, 1.0)
        places.append(
            (number % SHAPE * 0.7, number // SHAPE % SHAPE * 0.7, number // SHAPE**2 * 0.7)
        )
    system.addForce(force)
    return system, places


def main():
    openmm.Platform.loadPluginsFromDirectory(sys.argv[1])
    for failure in openmm.Platform.getPluginLoadFailures():
        if "HIP" in failure:
            step("not loaded", failure)
    platform = openmm.Platform.getPlatformByName("HIP")
    step("platform", platform.getName())
    system, places = molecules()
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system, integrator, platform, {"Precision": "single"})
    step("device", platform.getPropertyValue(context, "DeviceName"))
    context.setPositions(places)
    context.setVelocitiesToTemperature(300, 7)
    state = context.getState(getPositions=True, getVelocities=True)
    read = state.getPositions(asNumpy=True).value_in_unit(unit.nanometer)
    step("positions", " ".join(f"{value:.3f}" for value in read[-1]))
    read = state.getVelocities(asNumpy=True).value_in_unit(unit.nanometer / unit.picosecond)
    step("velocities", " ".join(f"{value:.3f}" for value in read[0]))
    integrator.step(20)
    step("time", f"{context.getState().getTime().value_in_unit(unit.picosecond):.3f}")
    energy = context.getState(getEnergy=True).getPotentialEnergy()
    step("energy", f"{energy.value_in_unit(unit.kilojoule_per_mole):.3f}")
    checkpoint = context.createCheckpoint()
    context.loadCheckpoint(checkpoint)
    step("checkpoint", len(checkpoint))
    context.reinitialize(preserveState=True)
    step("reinitialised", context.getState().getStepCount())


try:
    main()
except openmm.OpenMMException as error:
    step("error", error)
    sys.exit(1)
